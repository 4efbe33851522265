"""A visitor steps through a lesson: in the app itself, with phantom models of random weights."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import Server
from tests.ui.simulate_room import SLOW, wait_until_simulated
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
WIDTHS = (1440, 1024, 390)
EXPLORED = ".explore:not([data-state=opening]):not(.pending)"


@pytest.fixture
def page(chromium: Browser, phantom_server: Server) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        page.set_default_timeout(SLOW)
        page.goto(f"{phantom_server.url}/#simulate")
        wait_until_simulated(page)
        yield page


def begin(page: Page, title: str) -> None:
    page.locator(".lessons-head").click()
    page.get_by_role("link", name=title).click()
    expect(page.locator(".lesson-place")).to_have_text("1 of 4", timeout=SLOW)


def tab(page: Page) -> str:
    return page.locator("#tabs > .tab-wrapper [role=tab][aria-selected=true]").inner_text()


def test_a_lesson_leads_through_simulate_and_explore_and_stays_above_both(page: Page) -> None:
    begin(page, "Why accuracy misleads on the tail")
    bar = page.locator(".lesson")
    expect(bar).to_contain_text("of the 110,633 frontal films of PadChest")
    wait_until_simulated(page)
    expect(page.locator(".sim-finding")).to_have_text("Hydropneumothorax")  # the rarest of the shipped cohort
    expect(page.get_by_role("button", name="Previous", exact=True)).to_be_disabled()
    page.locator(".lesson-next").click()
    page.locator(EXPLORED).wait_for()
    page.get_by_text("Counting").wait_for(state="hidden")
    assert tab(page) == "Explore"
    expect(bar).to_contain_text(re.compile(r"missed \d+ of 42 films with Hydropneumothorax: \d\.\d\d \["))
    expect(page.locator(".sentence")).to_contain_text("phantom")
    expect(page.locator("#explore-panel-table")).to_be_visible()
    page.locator(".lesson-next").click()
    expect(page.locator("#explore-panel-scatter")).to_be_visible()
    page.locator(".lesson-before").click()
    expect(page.locator("#explore-panel-table")).to_be_visible()
    page.locator(".lesson-before").click()
    wait_until_simulated(page)
    assert tab(page) == "Simulate"
    page.locator(".lesson-close").click()
    expect(bar).to_be_hidden()


def test_the_bar_takes_its_height_from_the_tab_below(page: Page) -> None:
    begin(page, "The heat map that misleads")
    wait_until_simulated(page)
    bar, room = page.locator(".lesson").bounding_box(), page.locator(".simulating").bounding_box()
    assert bar is not None and room is not None
    assert room["y"] == pytest.approx(bar["y"] + bar["height"], abs=1)
    assert room["y"] + room["height"] == pytest.approx(900, abs=1)


def test_back_leaves_a_lesson_and_does_not_begin_it_again(page: Page) -> None:
    before = page.url
    begin(page, "Same disease, another center")
    wait_until_simulated(page)
    page.go_back()
    expect(page.locator(".lesson-place")).to_have_text("1 of 4", timeout=SLOW)
    assert page.url == before


def test_a_step_of_the_third_lesson_shows_the_twin(page: Page) -> None:
    begin(page, "The heat map that misleads")
    page.locator(".lesson-next").click()
    twin = page.locator("#simulate [data-command=twin]")
    expect(twin).to_have_attribute("aria-pressed", "true", timeout=SLOW)  # once the twin is drawn
    expect(page.locator("#simulate .facts")).to_contain_text("TWIN")
    expect(page.locator("#simulate .mask-line")).to_be_visible()


@pytest.mark.parametrize("number", range(1, 7))
def test_a_lesson_is_a_link(chromium: Browser, phantom_server: Server, number: int) -> None:
    with viewer_page(chromium, 1440, 900) as page:
        page.set_default_timeout(SLOW)
        page.goto(f"{phantom_server.url}/#simulate?lesson={number}")
        expect(page.locator(".lesson-place")).to_have_text("1 of 4", timeout=SLOW)
        if number < 5:
            wait_until_simulated(page)
            assert "seed=300041" in page.url
        else:  # those of the lab's networks begin in Explore
            page.locator(EXPLORED).wait_for()
            assert tab(page) == "Explore" and "model=" in page.url


def test_axe_finds_nothing_and_the_page_is_no_wider_than_the_window(page: Page) -> None:
    begin(page, "Same disease, another center")
    wait_until_simulated(page)
    assert_accessible_at(page, *WIDTHS)
    page.locator(".lesson-next").click()
    page.locator(".lesson-next").click()
    page.locator(EXPLORED).wait_for()
    page.get_by_text("Counting").wait_for(state="hidden")
    for width in WIDTHS:
        assert_accessible_at(page, width)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
