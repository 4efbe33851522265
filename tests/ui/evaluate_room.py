"""What a visitor does in the Evaluate tab, and what can be seen there."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Locator, Page, expect

from explorer.ui.shared.links import cohort_id
from tests.ui.explore_room import SLOW

NIH = cohort_id("nih-oof")
CLINIC = cohort_id("clinic")
CENTERS = cohort_id("three-centers")
OWN = cohort_id("own")
TWO_SOURCES = cohort_id("two-sources")
UNSURE = cohort_id("unsure")


def wait_until_compared(page: Page) -> None:
    """Until what is shown, a board or why there is none, is the address's."""
    shown = ".evaluate[data-state=shown]:not(.pending), .evaluate[data-state=refused]:not(.pending)"
    page.locator(shown).wait_for(timeout=SLOW)


def wait_until_complete(page: Page) -> None:
    """Until every interval is there."""
    wait_until_compared(page)
    expect(page.locator(".evaluate .computing")).to_have_count(0, timeout=2 * SLOW)


def state(page: Page) -> dict[str, str]:
    """The words of the address."""
    return dict(parse_qsl(urlsplit(page.url).fragment.partition("?")[2]))


def rows(page: Page) -> list[str]:
    """The models from top to bottom."""
    return page.locator(".board-table .board-name").all_inner_texts()


def row(page: Page, model: str) -> Locator:
    return page.locator(f".board-table tr[data-model='{model}']")
