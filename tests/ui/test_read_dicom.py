"""Save as DICOM on the page: said and confirmed before it is written, two files in a ZIP."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pydicom
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page, expect

from models.radiograph import read_radiograph
from tests.support.film_files import dicom_bytes, dicom_dataset
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible
from tests.ui.reading_room import (
    SLOW,
    above,
    canvas,
    choose,
    film_names,
    film_of,
    open_sample,
    show_map,
    start_over,
    upload,
    wait_until_read,
)
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def server(models_server: Server) -> Server:
    """To whom a visitor comes here."""
    return models_server


@pytest.fixture
def archivist(desk: Page) -> Iterator[Page]:
    """RG1 read, as it came, and no dialog."""
    desk.set_viewport_size({"width": 1440, "height": 900})
    if film_names(desk) != ["Many lung masses"]:
        open_sample(start_over(desk))
    yield desk
    desk.evaluate("document.querySelector('dialog.dicom').close()")


def ask(page: Page) -> None:
    page.locator("[data-export=dicom]").click()
    expect(page.locator("dialog.dicom")).to_be_visible()


def save(page: Page) -> tuple[str, pydicom.Dataset, pydicom.Dataset]:
    """Confirms; the ZIP's name and the two files in it."""
    page.locator(".dicom-confirm input").check()
    with page.expect_download(timeout=SLOW) as download:
        page.locator(".dicom-ways .keep").click()
    expect(page.locator("dialog.dicom")).to_be_hidden()
    with zipfile.ZipFile(io.BytesIO(Path(download.value.path()).read_bytes())) as packed:
        assert packed.namelist() == ["secondary-capture.dcm", "scores-report.dcm"]
        picture, report = (pydicom.dcmread(io.BytesIO(packed.read(name))) for name in packed.namelist())
    return download.value.suggested_filename, picture, report


def resized(pixels: NDArray[np.uint8], width: int, height: int) -> NDArray[np.uint8]:
    return np.asarray(Image.fromarray(pixels).resize((width, height), Image.Resampling.BILINEAR))


def test_nothing_is_written_that_was_not_confirmed(archivist: Page) -> None:
    ask(archivist)
    expect(archivist.locator(".dicom-written")).to_contain_text("without a map")
    archivist.locator(".dicom-ways .keep").click()
    expect(archivist.locator("dialog.dicom")).to_be_visible()
    assert archivist.locator(".dicom-confirm input:invalid").count() == 1
    archivist.locator(".dicom-ways .leave").click()
    expect(archivist.locator("dialog.dicom")).to_be_hidden()


def test_what_is_typed_is_said_checked_and_written_and_forgotten(archivist: Page, wording: Wording) -> None:
    ask(archivist)
    patient, study = archivist.locator("[name=patient]"), archivist.locator("[name=study]")
    wording(text_with(archivist.locator(".dicom-patient")))
    patient.fill("<b>4711</b>")
    study.fill("1.2.03")
    wording(text_with(archivist.locator(".dicom-patient"), "as you typed"))
    archivist.locator(".dicom-confirm input").check()
    archivist.locator(".dicom-ways .keep").click()
    wording(text_with(archivist.locator(".dicom-wrong"), "study UID"))
    study.fill("1.2.3")
    _, picture, report = save(archivist)
    for dataset in (picture, report):
        assert (dataset.PatientID, dataset.StudyInstanceUID) == ("<b>4711</b>", "1.2.3")
    ask(archivist)
    expect(patient).to_have_value("")
    expect(study).to_have_value("")
    expect(archivist.locator(".dicom-confirm input")).not_to_be_checked()


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_its_button_stands_in_the_row_with_the_others(archivist: Page, width: int) -> None:
    archivist.set_viewport_size({"width": width, "height": 844})
    button = archivist.locator("[data-export=dicom]")
    button.scroll_into_view_if_needed()
    here, first = button.bounding_box(), archivist.locator("[data-export=csv]").bounding_box()
    assert here and first and here["y"] == first["y"]
    assert here["x"] + here["width"] <= width - 12


def test_the_dialog_is_accessible_and_fits_a_phone(archivist: Page) -> None:
    ask(archivist)
    assert_accessible(archivist, "dialog.dicom")
    archivist.set_viewport_size({"width": 390, "height": 844})
    box = archivist.locator("dialog.dicom").bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] + box["height"] <= 844
    archivist.keyboard.press("Escape")
    expect(archivist.locator("dialog.dicom")).to_be_hidden()


def test_the_film_is_saved_as_it_is_shown_with_its_map(archivist: Page) -> None:
    archivist.keyboard.press("i")
    (finding, *_) = above(archivist, "true")
    choose(archivist, finding)
    show_map(archivist)
    archivist.wait_for_timeout(100)  # a frame, until the inverted film is drawn
    film, heat = canvas(archivist, "film"), canvas(archivist, "heat")
    ask(archivist)
    expect(archivist.locator(".dicom-written")).to_contain_text(f"with the map of {finding}")
    name, picture, report = save(archivist)
    assert re.fullmatch(r"tailscope_dicom_nih-ensemble_[a-z-]+_\d{8}-\d{4}\.zip", name)  # no hash of the film in it
    assert picture.SeriesDescription == f"NOT FOR MEDICAL USE: {finding}"
    assert picture.PatientID == report.PatientID and picture.PatientID.startswith("TAILSCOPE-")
    width = picture.Columns - 2 * 32
    height = 1536  # the film is a larger one, and higher than wide; the page has it smaller
    left = (picture.Columns - width) // 2
    drawn = picture.pixel_array[64 : 64 + height, left : left + width] / 255
    shown = resized(film, width, height) / 255
    color = resized(heat, width, height) / 255
    expected = shown[..., :3] * (1 - 0.6 * color[..., 3:]) + 0.6 * color[..., :3] * color[..., 3:]
    assert np.abs(drawn - expected).mean() < 0.01
    hot = color[..., 3] > 0.2
    assert np.abs(drawn - expected)[hot].mean() < 0.4 * np.abs(drawn - shown[..., :3])[hot].mean()  # the map is in it
    start_over(archivist)  # the next film is not inverted and has no map


def test_nothing_of_an_uploaded_header_comes_back(archivist: Page) -> None:
    stored = np.rint(film_of("masses")[::4, ::4] * 65535).astype(np.uint16)
    secrets = {"InstitutionName": "SecretHospital", "StudyInstanceUID": "1.2.99.4711", "AccessionNumber": "Secret77"}
    film = dicom_bytes(dicom_dataset(stored, **secrets, WindowCenter=None, WindowWidth=None))
    upload(start_over(archivist), "secret-name.dcm", film)
    wait_until_read(archivist)
    ask(archivist)
    name, picture, report = save(archivist)
    written = [name.encode()]
    for dataset in (picture, report):
        file = io.BytesIO()
        dataset.save_as(file)
        written.append(file.getvalue())
    secret = [*secrets.values(), "Roentgen", "HAND-1895", "secret-name", read_radiograph(film).sha256[:8]]
    assert not [word for word in secret for file in written if word.encode() in file]
