"""What holds of every panel: its link, hidden labels, names that are text, axe-core, its width.

A panel is one of the page's, so one page shows all of them after each other where nothing is said of how it came.
"""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from explorer.core.findings import FINDINGS
from explorer.store.slices import Slice
from explorer.ui.shared.links import slice_words
from tests.ui import clinic
from tests.ui.axe import HEIGHT, assert_accessible, assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW
from tests.ui.held import CALLS, called
from tests.ui.panel_room import CENTERS, NIH, PANELS, panel, turn_to
from tests.ui.three_centers import MODEL, NAME

pytestmark = [pytest.mark.browser, pytest.mark.shared]


@pytest.mark.parametrize("name", PANELS)
def test_a_link_brings_the_panel_and_hidden_labels_leave_nothing_in_it(new_panel: NewVisitor, name: str) -> None:
    page = new_panel(Slice("nih-oof", "nih-mini", finding="Mass"), panel=name, beside=urlencode(slice_words(NIH)))
    assert page.locator(f".explore-panel[data-panel={name}]").is_visible()
    expect(panel(page)).not_to_be_empty()
    expect(page.locator("[data-computing]:visible")).to_have_count(0, timeout=4 * SLOW)
    asked: list[str] = []
    page.on("request", note := lambda request: asked.append(called(request)))
    page.locator(".hide-switch").click()
    page.locator(".explore[data-hidden=true]:not(.pending)").wait_for()
    text = page.locator(".explore-panels").inner_text() + page.locator(".explore-panels").evaluate(
        "box => box.innerHTML"
    )
    assert not [finding for finding in FINDINGS if finding in text]
    assert "0." not in page.locator(".explore-panels").inner_text()
    panels = {
        "cell_table",
        "cell_intervals",
        "prevalence",
        "two_slices",
        "compared_intervals",
        "confused_with",
        "label_issues",
        "where_it_fails",
        "film_map",
        "crosswalk",
    }
    page.remove_listener("request", note)  # the next panel comes to the same page
    assert not panels & set(asked)


def test_names_of_a_visitors_data_are_text(new_panel: NewVisitor) -> None:
    own = Slice(clinic.NAME, clinic.MODELS[0], finding="Mass")
    page = new_panel(own, beside=urlencode(slice_words(Slice(clinic.NAME, clinic.MODELS[0]))))
    for name in PANELS:
        turn_to(page, name)
        expect(panel(page)).not_to_be_empty()
        if name == "table":
            assert clinic.RUN in panel(page).inner_text()
        assert page.evaluate("window.ran") is None, name


def test_axe_finds_nothing(new_panel: NewVisitor) -> None:
    chosen = Slice(NAME, MODEL, finding="Nodule")
    page = new_panel(chosen, beside=urlencode(slice_words(CENTERS)), called="mass", outcome="miss")
    for width in (1440, 390):  # every panel of one before the other: a phone's page is drawn anew
        page.set_viewport_size({"width": width, "height": HEIGHT})
        for name in PANELS:
            turn_to(page, name)
            expect(panel(page).locator(".computing")).to_have_count(0, timeout=4 * SLOW)
            # The gallery beside it is the same for all.
            assert_accessible(page, within=None if name == PANELS[0] else ".explore-panels")


def test_axe_finds_nothing_while_a_map_is_made(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS, panel="compare")
    far = {"stage": "making", "computing": True, "done": 150, "of": 1000}
    page.route(CALLS, lambda way: way.fulfill(json=far) if called(way.request) == "film_map" else way.fallback())
    turn_to(page, "map")
    expect(panel(page).get_by_role("progressbar", name="Computing the map")).to_be_visible()
    assert_accessible_at(page, 1440, 390, within=".explore-panels")


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_no_panel_is_wider_than_its_place(new_panel: NewVisitor, width: int) -> None:
    beside = {"beside": urlencode(slice_words(CENTERS))}
    page = new_panel(CENTERS, **beside)
    page.set_viewport_size({"width": width, "height": HEIGHT})
    nodules = slice_words(Slice(NAME, MODEL, finding="Nodule")) | {"panel": PANELS[0]} | beside
    page.evaluate("words => location.hash = `#explore?${words}`", urlencode(nodules))  # drawn anew, in this width
    expect(page.locator(".sentence")).to_contain_text("Nodule")
    for name in PANELS:
        turn_to(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        assert panel(page).evaluate("box => box.scrollWidth <= box.clientWidth"), name
