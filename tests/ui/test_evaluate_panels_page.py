"""Evaluate's panels in a browser: each opens, is drawn, keeps the address, saves its chart, is accessible."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from explorer.ui.evaluate.panels.all_panels import PANELS
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import CLINIC, NIH, state, wait_until_compared, wait_until_complete
from tests.ui.explore_room import SLOW
from tests.ui.held import HeldAnswers
from tests.ui.panel_room import CUT_LABELS

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def drawn(page: Page) -> None:
    """Until the chart is on the page."""
    page.locator(".chart-drawn .main-svg").first.wait_for(timeout=SLOW)


def test_a_panel_is_opened_by_its_name_and_back_leads_to_the_leaderboard(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH)
    listed = {word: panel for word, panel in PANELS.items() if panel.listed}
    for word, panel in listed.items():
        page.get_by_role("button", name=panel.title, exact=True).click()
        expect(page.locator(f".evaluate-panels [data-panel='{word}']")).to_have_attribute("aria-current", "true")
        wait_until_compared(page)
        assert state(page)["panel"] == word
        assert page.locator(".evaluate-board").get_attribute("aria-label") == panel.title
    for _ in listed:
        page.go_back()
    wait_until_compared(page)
    expect(page.locator(".board-table")).to_be_visible()


def test_intervals_that_come_late_do_not_lead_back_to_their_panel(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH)
    held = HeldAnswers(page, "panel", "board", only=range(1, 99))
    page.goto(page.url.partition("#")[0] + "#evaluate?" + urlencode({"cohort": NIH, "panel": "tail", "view": "ap"}))
    held.wait()  # what asks for the intervals
    page.get_by_role("button", name="Leaderboard", exact=True).click()
    held.wait(2)
    wait_until_complete(new_board(cohort=NIH, panel="tail", view="ap"))
    held.let_go()  # the intervals are there, and nobody looks at them any more
    page.wait_for_timeout(500)
    held.end()
    wait_until_compared(page)
    expect(page.locator(".board-table")).to_be_visible(timeout=SLOW)
    assert "panel" not in state(page)


def test_head_to_tail_draws_the_findings_and_says_them_in_a_table(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="tail")
    wait_until_complete(page)
    drawn(page)
    assert page.locator(".chart-drawn .xtick").count() == 15
    page.get_by_text("The same data as a table").click()
    cells = page.locator(".findings-table tbody tr").first.locator("td")
    assert cells.nth(3).inner_text().startswith("0.") and "[0." in cells.nth(3).inner_text()


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_a_chart_is_saved_and_says_of_which_films_it_is(new_board: NewVisitor, kind: str) -> None:
    page = new_board(cohort=NIH, panel="tail")
    drawn(page)
    with page.expect_download() as saved:
        page.locator(".chart-tools").get_by_role("button", name=kind).click()
    assert saved.value.suggested_filename == f"tailscope_head-to-tail_ap.{kind.lower()}"
    data = saved.value.path().read_bytes()
    if kind == "PNG":
        assert data.startswith(b"\x89PNG")
    else:
        text = data.decode()
        assert text.startswith("<svg") and "films of nih-oof" in text and "Not for medical use" in text


def test_names_of_a_visitors_data_are_text_in_a_chart(new_board: NewVisitor) -> None:
    page = new_board(cohort=CLINIC, panel="tail")
    drawn(page)
    assert page.evaluate("window.ran") is None


@pytest.mark.parametrize("panel", PANELS)
def test_panels_are_accessible_and_no_wider_than_the_page(new_board: NewVisitor, panel: str) -> None:
    page = new_board(cohort=NIH, panel=panel)
    wait_until_complete(page)
    # What is around the panel is the same for all.
    within = ".evaluate" if panel == next(iter(PANELS)) else ".evaluate-board"
    for width in (1440, 1024, 390):
        assert_accessible_at(page, width, within=within)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT_LABELS) == []


def test_on_a_phone_the_open_panel_is_seen_among_the_others(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="labels")
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    open_panel = page.locator(".evaluate-panels [aria-current=true]")
    expect(open_panel).to_have_text("Labels against labels")
    box = open_panel.bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= 390
