"""What axe-core has to say of every state of Explore's frame: nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, hide, open_menu, wait_until_shown

pytestmark = pytest.mark.browser


def as_it_opens(page: Page) -> None:
    """The misses."""


def menu(page: Page) -> None:
    open_menu(page, "outcome")


def searched(page: Page) -> None:
    page.locator(".chip-add").click()
    page.get_by_role("option", name="Finding", exact=True).click()
    page.get_by_role("combobox").fill("o")


def score_range(page: Page) -> None:
    page.locator(".chip-add").click()
    page.get_by_role("option", name="Score").click()
    page.locator(".score-range").wait_for()


def hidden(page: Page) -> None:
    hide(page)
    page.locator(".tile-reveal").first.click()
    page.locator(".tile .outcome-badge").wait_for()


STATES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "opened": ("#explore", as_it_opens),
    "menu": ("#explore", menu),
    "searched": ("#explore", searched),
    "score range": ("#explore", score_range),
    "hidden": ("#explore", hidden),
    "wrong link": ("#explore?finding=broken-heart", as_it_opens),
    "nothing": ("#explore?finding=mass&low=5", as_it_opens),
}


@pytest.mark.parametrize("state", STATES)
def test_axe_finds_nothing(new_explorer: NewVisitor, state: str) -> None:
    fragment, reach = STATES[state]
    page = new_explorer(fragment)
    reach(page)
    wait_until_shown(page)
    expect(page.locator("[role=tabpanel][aria-busy=true]")).to_have_count(0, timeout=SLOW)
    assert_accessible_at(page, 1440, 390)


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_nothing_is_wider_than_the_window(new_explorer: NewVisitor, width: int) -> None:
    page = new_explorer(width=width)
    open_menu(page, "cohort")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_motion_stops_where_it_is_not_wanted(new_explorer: NewVisitor) -> None:
    page = new_explorer()
    page.emulate_media(reduced_motion="reduce")
    moving = """[...document.querySelectorAll(".explore *")]
        .filter((part) => parseFloat(getComputedStyle(part).transitionDuration) > 0).length"""
    assert page.evaluate(moving) == 0
