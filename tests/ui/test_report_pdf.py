"""The report as it comes out of a printer: what the PDF's own text says, figure by figure."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page
from pypdf import PdfReader

from explorer.core.figures import share_texts
from tests.support.film_files import dicom_bytes, dicom_dataset
from tests.ui.app_server import Server
from tests.ui.reading_room import (
    film_of,
    leave_with_text,
    open_sample,
    read_at,
    upload,
    wait_until_read,
    wait_until_said,
)
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser

PATIENT = {
    "PatientName": "Roentgen^Anna Bertha",
    "PatientID": "HAND-1895",
    "PatientBirthDate": "18391222",
    "InstitutionName": "Wuerzburg",
    "AccessionNumber": "ACC-4711",
}


@dataclass(frozen=True)
class Paper:
    """The text of a PDF in the order in which it was written, and line by line as it lies on the page."""

    written: str
    lying: str

    @property
    def words(self) -> str:
        return " ".join(self.written.split())


Printed = tuple[dict[str, Any], Paper]  # what a film's JSON says, and its report


@pytest.fixture(scope="module", params=["a simulated film", "a DICOM file with a patient"])
def printed(request: pytest.FixtureRequest, chromium: Browser, server: Server) -> Iterator[Printed]:
    """What a film's JSON says, and its report on paper."""
    with read_at(chromium, server.url) as page:
        if "DICOM" in request.param:
            stored = np.rint(film_of("masses")[::2, ::2] * 65535).astype(np.uint16)
            upload(page, "film.dcm", dicom_bytes(dicom_dataset(stored, WindowCenter=None, WindowWidth=None, **PATIENT)))
            wait_until_read(page)
        else:
            open_sample(page, "phantom-effusion")
        wait_until_said(page)
        with page.expect_download() as download:
            page.locator("[data-export=json]").click()
        answer = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
        yield answer, printed_report(chromium, page)


def printed_report(chromium: Browser, page: Page) -> Paper:
    page.locator("[data-export=report]").click()
    leave_with_text(page)
    page.frame_locator("iframe.report").locator("table").first.wait_for(state="attached")
    report = page.locator("iframe.report").element_handle().content_frame()
    assert report is not None
    assert report.evaluate("document.compatMode") == "CSS1Compat"  # in quirks mode cells overprint each other
    with windows(chromium).window(1440, 900, Kind()) as paper:
        paper.set_content(report.content())
        pdf = PdfReader(io.BytesIO(paper.pdf(format="A4")))
    assert len(pdf.pages) == 1
    return Paper(*(letters(pdf.pages[0].extract_text(extraction_mode=mode)) for mode in ("plain", "layout")))


def letters(text: str) -> str:
    """Without ligatures and spaces that do not break."""
    return unicodedata.normalize("NFKC", text)


def counted(rate: dict[str, Any] | None) -> list[str]:
    """A rate and its n, as two cells of the table."""
    if rate is None:
        return ["not known"]
    figure, low, high = share_texts(rate["value"], rate["low"], rate["high"])
    return [f"{figure} [{low}\u2013{high}]", f"{rate['n']:,}"]


def test_every_finding_has_its_own_figures_in_its_line_and_none_lies_on_another(
    printed: Printed,
) -> None:
    answer, paper = printed
    rows = [row for row in answer["findings"] if row["state"] in ("above", "unsure") and not row["warning"]]
    assert any(row["verdict"] for row in rows) and any(not row["verdict"] for row in rows)
    lines = [re.split(r"\s{2,}", line.strip()) for line in paper.lying.splitlines()]
    for row in rows:
        name = row["finding"] + (f": {row['verdict']}" if row["verdict"] else "")
        rates = [row["right"]] if row["verdict"] else []
        cells = [f"{row['score']:.2f}", f"{row['threshold']:.2f}"]
        cells += [cell for rate in (*rates, row["sensitivity"], row["specificity"]) for cell in counted(rate)]
        assert f"{name} {' '.join(cells)}" in paper.words
        assert [line[1:] for line in lines if len(line) > 1 and name.startswith(line[0])] == [cells], name


def test_the_paper_says_what_it_is_not_for_and_what_a_flag_is_worth(printed: Printed) -> None:
    _, paper = printed
    assert paper.words.count("NOT FOR MEDICAL USE") == 2
    assert paper.words.startswith("NOT FOR MEDICAL USE") and paper.words.endswith("NOT FOR MEDICAL USE")
    for heading in ("Correct when flagged n", "Sensitivity n with it", "Specificity n without"):
        assert heading in paper.words
    assert "not a diagnosis" in paper.words and "no header" in paper.words


def test_nothing_of_the_patient_is_on_the_paper(printed: Printed) -> None:
    _, paper = printed
    text = "".join(paper.written.split()).casefold()
    for value in ("Roentgen", "Anna", "HAND-1895", "1839", "Wuerzburg", "ACC-4711", "film.dcm"):
        assert value.casefold() not in text
