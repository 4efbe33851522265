"""What can be seen of the panels beside the gallery, and the slices they are tried on."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from explorer.store.slices import Slice
from tests.ui.explore_room import SLOW, wait_until_shown
from tests.ui.three_centers import MODEL, NAME

PANELS = ("table", "scatter", "compare", "confused", "label-issues", "fails", "map")
CENTERS = Slice(NAME, MODEL)
NIH = Slice("nih-oof", "nih-mini")


# Texts of charts that reach past their chart's edge: nobody can read all of them.
CUT_LABELS = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((chart) => {
    const edge = chart.querySelector(".main-svg").getBoundingClientRect();
    const cut = ({ left, right, top, bottom }) =>
        left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 1 || bottom > edge.bottom + 1;
    const texts = [...chart.querySelectorAll("text")].filter((each) => each.getBoundingClientRect().width);
    return texts.filter((each) => cut(each.getBoundingClientRect())).map((each) => each.textContent);
})"""


def panel(page: Page) -> Locator:
    return page.locator(".explore-panel:visible")


def wait_until_drawn(page: Page) -> None:
    """Until the panel that is seen shows the slice of the page."""
    wait_until_shown(page)
    page.locator(".explore-panel:visible:not([aria-busy]) > :not(.panel-count)").first.wait_for(timeout=SLOW)


def turn_to(page: Page, name: str) -> None:
    """By the address, as a link does that is followed on the page."""
    page.evaluate("name => location.hash = location.hash.replace(/([?&]panel=)[a-z-]+/, `$1${name}`)", name)
    page.locator(f".explore-panel[data-panel={name}]").wait_for(timeout=SLOW)
    wait_until_drawn(page)
