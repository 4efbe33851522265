"""A finding in a browser: a finding is chosen, a threshold dragged, a prevalence typed; the address keeps all three."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.wording import Wording
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import CLINIC, NIH, state, wait_until_compared, wait_until_complete
from tests.ui.text_shown import text_with

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def counts(page: Page) -> dict[str, int]:
    """TP, FP, FN and TN as the page shows them."""
    each = page.locator(".threshold-count")
    found = (each.nth(place).inner_text().split() for place in range(each.count()))
    return {words[-2]: int(words[-1].replace(",", "")) for words in found}


def rates(page: Page) -> Locator:
    return page.locator(".threshold-rates dd")


def test_a_threshold_is_dragged_without_asking_and_settles_with_intervals(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="finding")
    wait_until_complete(page)
    before = counts(page)
    slider = page.get_by_role("slider", name="Threshold")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    slider.focus()
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    moved = counts(page)
    assert not asked  # nothing is asked while the threshold moves
    assert moved["TP"] + moved["FP"] > before["TP"] + before["FP"]
    assert moved["TP"] + moved["FN"] == before["TP"] + before["FN"]
    assert sum(moved.values()) == sum(before.values())
    expect(rates(page).first).to_contain_text(re.compile(r"\[\d"))
    assert float(state(page)["at"]) > 0
    page.reload()
    wait_until_compared(page)
    assert counts(page) == moved  # the address keeps the threshold


def test_a_prevalence_is_typed_or_refused(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="finding")
    wait_until_complete(page)
    typed = page.get_by_label("Prevalence")
    typed.fill("2")
    typed.press("Enter")
    expect(page.locator(".threshold-rates dt").nth(2)).to_have_text("PPV at 2\u00a0%")
    expect(rates(page).nth(2)).to_contain_text(re.compile(r"\[\d"))
    assert state(page)["prevalence"] == "2"
    typed.fill("120")
    typed.press("Enter")
    expect(page.locator(".threshold-said")).to_contain_text("not a usable prevalence")


def test_jumping_to_a_threshold_moves_the_circle_on_both_curves(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="finding")
    wait_until_complete(page)
    page.locator(".chart-drawn .main-svg").first.wait_for()
    page.get_by_role("group", name="Jump to").get_by_role("button", name="Youden").click()
    data = page.locator(".chart-drawn").first.evaluate("box => box.data.slice(-2).map(({ x, y }) => [x[0], y[0]])")
    now = counts(page)
    sensitivity = now["TP"] / (now["TP"] + now["FN"])
    assert data[0] == pytest.approx([now["FP"] / (now["FP"] + now["TN"]), sensitivity])
    assert data[1] == pytest.approx([sensitivity, now["TP"] / (now["TP"] + now["FP"])])


def test_another_finding_is_chosen_and_stands_in_the_address(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="finding")
    page.get_by_role("combobox", name="Finding", exact=True).select_option("hernia")
    wait_until_compared(page)
    expect(page.locator(".evaluate-title")).to_contain_text("Hernia.")
    assert state(page)["finding"] == "hernia"


def test_a_finding_without_positives_says_so(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=CLINIC, panel="finding", finding="hernia")
    wording(text_with(page.locator(".finding-lacking"), "Hernia"))
    assert page.locator(".chart").count() == 0
    assert page.evaluate("window.ran") is None


def test_calibration_and_the_spread_of_scores_are_drawn_below(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="finding")
    wait_until_complete(page)
    expect(page.locator(".chart-drawn .main-svg").nth(2)).to_be_attached()
    rows = page.locator(".calibrated-table tbody tr")
    assert rows.count() == 3
    for place in range(3):
        assert rows.nth(place).locator(".board-reach").count() == 2


def test_the_price_of_thresholds_says_why_and_is_shown_of_a_chosen_model(
    new_board: NewVisitor, wording: Wording
) -> None:
    page = new_board(cohort=NIH, panel="price")
    wait_until_complete(page)
    counts = text_with(page.locator(".counts-line").first)
    assert "mAP 0.585" in counts and "F1 0.352" in counts
    wording(counts)
    assert page.locator(".price-table").first.locator("tbody tr").count() == 5
    page.get_by_role("combobox", name="Findings of").select_option(label="nih-phantom")
    wait_until_compared(page)
    expect(page.locator(".board-sentence")).to_contain_text("by nih-phantom at 0.5")
