"""Files that a visitor gives to the Read tab: of any name, no film at all, one upon another, films to be warned of."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from explorer.reading.samples import sample_bytes
from models.gate.heart_side import MIRRORED_CAUTION
from tests.support.film_files import PACKAGED
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.reading_room import (
    SLOW,
    film_of,
    narrow_film,
    open_sample,
    png_of,
    upload,
    wait_until_read,
    wait_until_said,
)
from tests.ui.text_shown import text_with

pytestmark = pytest.mark.browser


@pytest.mark.journey
def test_a_dicom_file_without_extension_is_read(bare: Page, server: Server) -> None:
    upload(bare, "IM000001", (PACKAGED / "RG1_J2KR.dcm").read_bytes())
    wait_until_read(bare)
    expect(bare.locator(".film-name")).to_have_text("IM000001")
    assert server.uploaded_files() == []


def test_a_hostile_file_name_is_only_a_name(bare: Page) -> None:
    buffer = io.BytesIO()
    Image.fromarray(narrow_film()).save(buffer, "JPEG")
    name = "<img src=x onerror=window.hostile=1>.png"
    upload(bare, name, buffer.getvalue())
    wait_until_read(bare)
    expect(bare.locator(".film-name")).to_have_text(name)
    assert bare.evaluate("window.hostile") is None
    assert bare.locator("#read img[src=x]").count() == 0


def test_a_text_file_is_refused_in_words_and_another_film_can_follow(bare: Page, server: Server) -> None:
    upload(bare, "letter.txt", b"Dear colleague, thank you for referring this patient. " * 20)
    bare.locator(".room[data-state=refused]").wait_for(timeout=SLOW)
    expect(bare.locator(".word-title")).to_contain_text("text")
    expect(bare.locator(".word-detail")).not_to_be_empty()
    assert bare.locator(".finding").count() == 0
    assert server.uploaded_files() == []
    open_sample(bare)


def test_an_empty_file_is_refused(bare: Page) -> None:
    upload(bare, "empty.dcm", b"")
    expect(bare.locator(".word-title")).to_have_text("The file is empty")


def test_opening_another_while_the_first_is_scored_shows_the_last(bare: Page) -> None:
    bare.locator("[data-sample=masses]").click()
    bare.locator(".room[data-state=scoring], .room[data-state=read]").wait_for(timeout=SLOW)
    upload(bare, "leg.dcm", sample_bytes("leg"))
    expect(bare.locator(".facts")).to_contain_text("1760 x 1760 px", timeout=SLOW)
    wait_until_said(bare)
    expect(bare.locator(".film-name")).to_have_text("leg.dcm")


def test_a_very_small_film_is_warned_of(bare: Page, wording: Wording) -> None:
    small = Image.fromarray(np.rint(film_of("masses") * 255).astype(np.uint8)).resize((90, 96))
    upload(bare, "preview.png", png_of(np.asarray(small)))
    wait_until_read(bare)
    wording(text_with(bare.locator(".verdict"), "90 x 96 px"))


def test_a_mirrored_film_is_warned_of_and_put_right_on_request(bare: Page) -> None:
    mirrored = np.rint(film_of("masses")[:, ::-1] * 255).astype(np.uint8)
    upload(bare, "mirrored.png", png_of(np.ascontiguousarray(mirrored)))
    wait_until_read(bare)
    verdict = bare.locator("#read .verdict")
    expect(verdict).to_have_text("Frontal chest film. " + MIRRORED_CAUTION)
    expect(verdict).to_have_class(re.compile("overruled"))
    bare.get_by_role("button", name="Mirror and read").click()
    expect(verdict).to_have_text("Frontal chest film")
    expect(bare.locator("#read .finding")).not_to_have_count(0)
    expect(bare.locator("#read .notes")).to_contain_text("mirrored on request")
    expect(bare.locator("#read .way")).to_have_count(0)
