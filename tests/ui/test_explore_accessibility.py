"""What axe-core has to say of every state of Explore's frame: nothing."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from tests.ui.axe import HEIGHT, assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, hide, open_menu, wait_until_shown

pytestmark = pytest.mark.browser


# Few films: of a page of them the first test has to say something.
FEW = "#explore?" + urlencode({"outcome": "miss", "age": "80+"})


def menu(page: Page) -> None:
    open_menu(page, "outcome")


def searched(page: Page) -> None:
    close(page)
    page.locator(".chip-add").click()
    page.get_by_role("option", name="Finding", exact=True).click()
    page.locator(".menu").get_by_role("combobox").fill("o")


def score_range(page: Page) -> None:
    close(page)
    page.locator(".chip-add").click()
    page.get_by_role("option", name="Score").click()
    page.locator(".score-range").wait_for()


def hidden(page: Page) -> None:
    close(page)
    hide(page)
    page.locator(".tile-reveal").first.click()
    page.locator(".tile .outcome-badge").wait_for()


def close(page: Page) -> None:
    page.keyboard.press("Escape")
    expect(page.locator(".menu:visible, .score-range:visible")).to_have_count(0)


def assert_accessible_at_rest(page: Page, within: str | None = None) -> None:
    wait_until_shown(page)
    expect(page.locator("[role=tabpanel][aria-busy=true]")).to_have_count(0, timeout=SLOW)
    assert_accessible_at(page, 1440, 390, within=within)


@pytest.mark.parametrize(
    "fragment",
    ["#explore", "#explore?finding=broken-heart&outcome=miss&age=80%2B", "#explore?finding=mass&low=5"],
    ids=["opened", "wrong link", "nothing"],
)
def test_axe_finds_nothing(new_explorer: NewVisitor, fragment: str) -> None:
    assert_accessible_at_rest(new_explorer(fragment))


def test_axe_finds_nothing_in_what_opens(new_explorer: NewVisitor) -> None:
    page = new_explorer(FEW)
    for reach in (menu, searched, score_range, hidden):
        page.set_viewport_size({"width": 1440, "height": HEIGHT})
        reach(page)
        assert_accessible_at_rest(page, within=".explore-bar" if reach in (searched, score_range) else None)


def test_nothing_is_wider_than_the_window(new_explorer: NewVisitor) -> None:
    page = new_explorer()
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        open_menu(page, "cohort")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        close(page)
