"""A simulated film in Read leads to the same film in Simulate, where its truth is; one that says nothing does not."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.reading.samples import SAMPLES
from explorer.simulator.film_png import simulated_png
from explorer.ui.simulate.link import made_as_payload
from models.radiograph import read_radiograph
from tests.support.wording import Wording
from tests.ui.app_server import Server
from tests.ui.axe import assert_accessible
from tests.ui.reading_room import SLOW, canvas, film_of, grey, read_at, start_over, upload, wait_until_said
from tests.ui.simulate_room import wait_until_simulated
from tests.ui.text_shown import text_with

SIMULATED = [sample for sample in SAMPLES if sample.simulated]
ADDRESS = "phantom://v1/B/41?Cardiomegaly=,0.70&Pleural+Effusion=left,0.70"


def test_the_film_is_named_by_its_own_file_alone() -> None:
    link = "#simulate?center=B&seed=41&Cardiomegaly=,0.70&Pleural+Effusion=left,0.70"
    assert made_as_payload(read_radiograph(simulated_png(ADDRESS, 64)).mark) == {"case": "B-000041", "link": link}
    assert made_as_payload(read_radiograph(grey(np.linspace(0, 1, 64 * 64).reshape(64, 64))).mark) is None


@pytest.mark.parametrize(
    "mark", ["", "SIMULATED", f"SIMULATED: {ADDRESS}", f"SIMULATED, not a patient's film: {ADDRESS}0"]
)
def test_a_mark_without_an_address_leads_nowhere(mark: str) -> None:
    assert made_as_payload(mark) is None


@pytest.fixture(scope="module")
def window(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    with read_at(chromium, phantom_server.url) as page:
        page.set_default_timeout(SLOW)
        yield page


@pytest.fixture
def page(window: Page) -> Page:
    """Read without a film, whatever hung there before; where the opinion was hidden it is shown again."""
    window.set_viewport_size({"width": 1440, "height": 900})
    window.get_by_role("tab", name="Read", exact=True).click()
    start_over(window)
    window.locator("#read .room[data-state=empty]").wait_for()
    return window


def open_film(page: Page, key: str) -> None:
    page.locator(f"#read [data-sample='{key}']").click()
    wait_until_said(page)


@pytest.mark.browser
@pytest.mark.parametrize("sample", SIMULATED, ids=lambda sample: sample.key)
def test_a_sample_opens_in_simulate_as_the_same_film(page: Page, sample: object, wording: Wording) -> None:
    open_film(page, sample.key)  # type: ignore[attr-defined]
    wording(text_with(page.locator("#read .made-as")))
    expect(page.locator("#read .made-as a")).to_have_attribute("title", re.compile(r"^[AB]-\d{6}, as the file says$"))
    here = canvas(page, "film")
    page.locator("#read .made-as a").click()
    wait_until_simulated(page)
    expect(page.get_by_role("tab", name="Simulate", exact=True)).to_have_attribute("aria-selected", "true")
    # The sample is a file that another processor drew; the same film drawn here may differ by a step of gray.
    apart = np.abs(canvas(page, "sim-film").astype(np.int16) - here.astype(np.int16))
    assert apart.max() <= 1


@pytest.mark.browser
def test_a_film_without_its_mark_or_of_a_patient_has_no_such_line(page: Page) -> None:
    expect(page.locator("#read .made-as")).to_be_hidden()
    open_film(page, "phantom-normal")
    expect(page.locator("#read .made-as")).to_be_visible()
    upload(page, "stripped.png", grey(film_of("phantom-normal")))
    expect(page.locator("#read .film-name")).to_have_text("stripped.png")
    wait_until_said(page)
    expect(page.locator("#read .made-as")).to_be_hidden()


@pytest.mark.browser
def test_what_tells_the_truth_is_hidden_with_the_opinion(page: Page) -> None:
    upload(page, "drawn.png", simulated_png(ADDRESS))
    expect(page.locator("#read .made-as a")).to_have_attribute("title", re.compile("^B-000041,"))
    wait_until_said(page)
    page.keyboard.press("h")
    expect(page.locator("#read .made-as")).to_be_hidden()
    page.keyboard.press("h")
    expect(page.locator("#read .made-as")).to_be_visible()


@pytest.mark.browser
def test_axe_finds_nothing_and_the_page_is_no_wider_than_the_window(page: Page) -> None:
    open_film(page, "phantom-effusion")
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.locator("#read .made-as")).to_be_visible()
        assert_accessible(page, "#read")
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
