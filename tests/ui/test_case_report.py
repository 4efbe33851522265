"""The report of a case: how its text is cut, and how the page marks it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.cohorts.film_reports import FilmReport, ReportMention, read_report, write_reports
from explorer.cohorts.layout import DamagedCohort, Folder
from explorer.ui.explore.report_payload import report_payload
from tests.ui.case_harness import answers, asked, facts, open_case
from tests.ui.viewer_harness import viewer_page

TEXT = "No effusion. Bullous emphysema.\nHistory of mass."
SOURCE = "reports (English rules)"
REPORT = FilmReport(
    "one",
    TEXT,
    SOURCE,
    (
        ReportMention("Pleural Effusion", "absent", 3, 11, 0, 2),
        ReportMention("Bulla", "present", 13, 30),
        ReportMention("Emphysema", "present", 13, 30),
        ReportMention("Mass", None, 43, 47, 32, 42),
    ),
)


def test_the_text_is_whole_and_cut_where_mentions_and_cues_begin() -> None:
    payload = report_payload(REPORT)
    assert payload["stage"] == "report"
    parts = payload["parts"]
    assert "".join(part["text"] for part in parts) == TEXT
    assert [(part["text"], [said["state"] for said in part["said"]], part["cue_of"]) for part in parts] == [
        ("No", [], ["Pleural Effusion"]),
        (" ", [], []),
        ("effusion", ["absent"], []),
        (". ", [], []),
        ("Bullous emphysema", ["present", "present"], []),
        (".\n", [], []),
        ("History of", [], ["Mass"]),
        (" ", [], []),
        ("mass", ["not labeled"], []),
        (".", [], []),
    ]


def test_places_outside_the_text_and_a_film_without_a_report_are_no_trouble() -> None:
    wrong = FilmReport("one", "Mass.", SOURCE, (ReportMention("Mass", "present", 0, 99),))
    assert report_payload(wrong) == {
        "stage": "report",
        "source": SOURCE,
        "parts": [{"text": "Mass.", "said": [], "cue_of": []}],
    }
    assert report_payload(None) == {"stage": "no report"}


def test_a_report_is_read_as_it_was_written_and_damage_is_named(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    assert read_report(folder, "one") is None
    others = [FilmReport(f"film {place}", "Clear.", SOURCE, ()) for place in range(2_500)]
    write_reports(folder, [*others, REPORT])
    assert read_report(folder, "one") == REPORT
    assert read_report(folder, "two") is None
    folder.reports.write_bytes(b"x" * 100)
    with pytest.raises(DamagedCohort):
        read_report(folder, "one")


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900, stays=True) as page:
        yield page


@pytest.mark.browser
def test_the_report_stands_beside_the_film_with_phrases_marked_by_finding_and_state(page: Page) -> None:
    given = answers(
        case_facts={"*": facts(reported=True)},
        case_report={"one": report_payload(REPORT), "*": report_payload(None)},
    )
    open_case(page, given)
    section = page.locator(".case-report")
    expect(section.locator(".case-report-text")).to_have_text(TEXT)
    marks = section.locator(".case-report-text .report-mention")
    assert [mark.get_attribute("data-state") for mark in marks.all()] == ["absent", "present", "not labeled"]
    assert marks.nth(1).get_attribute("title") == "Bulla: present\nEmphysema: present"
    expect(section.locator(".case-report-text .report-mention.chosen")).to_have_text("mass")
    key = section.locator(".case-report-key")
    assert " ".join(key.inner_text().split()) == ("present Bulla, Emphysema absent Pleural Effusion not labeled Mass")
    page.locator(".case-next").click()
    expect(section.locator("p")).to_have_count(0)


@pytest.mark.browser
def test_a_cohort_without_reports_is_not_asked_and_hidden_labels_hide_the_report(page: Page) -> None:
    open_case(page)
    expect(page.locator(".case-report")).to_be_hidden()
    assert asked(page, "case_report") == []
    given = answers(case_facts={"*": facts(reported=True)}, case_report={"*": report_payload(REPORT)})
    open_case(page, given)
    expect(page.locator(".case-report-text")).to_be_visible()
    page.evaluate("view.toggleCover()")
    expect(page.locator(".case-report-text")).to_have_count(0)
