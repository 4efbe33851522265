"""Subgroups and Labels against labels in a browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.support.wording import Wording
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import NIH, TWO_SOURCES, state, wait_until_compared, wait_until_complete
from tests.ui.explore_room import SLOW
from tests.ui.text_shown import text_with

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def drawn(page: Page) -> None:
    """Until the chart is on the page."""
    page.locator(".chart-drawn .main-svg").first.wait_for(timeout=SLOW)


def test_subgroups_are_a_chart_and_a_table_for_each_respect(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="subgroups", models="")
    drawn(page)
    titles = page.locator(".subgroup-title").all_inner_texts()
    assert titles == ["View", "Sex", "Age", "Findings per film"]
    assert page.locator(".chart-drawn .ytick").count() == page.locator(".subgroup-name").count()
    expect(page.locator(".board-sentence")).to_contain_text("mAUROC over")
    wait_until_complete(page)
    cell = page.locator(".subgroup-table").first.locator("tbody td").first
    expect(cell).to_contain_text("p ")
    expect(cell).to_contain_text("[")


def test_a_metric_that_follows_prevalence_says_so_and_stays_in_the_address(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="subgroups")
    expect(page.locator(".subgroup-caution")).to_have_count(0)
    page.get_by_role("group", name="Metric").get_by_role("button", name="AP", exact=True).click()
    expect(page.locator(".subgroup-caution")).to_contain_text("AP depends on prevalence")
    wait_until_compared(page)
    assert state(page)["metric"] == "ap"


def test_a_group_of_findings_is_chosen_for_the_means(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="subgroups")
    page.locator(".evaluate-board .evaluate-choice select").select_option("without Normal")
    expect(page.locator(".board-sentence")).to_contain_text("mAUROC over 14 findings")
    wait_until_compared(page)
    assert state(page)["over"] == "without-normal"


def test_a_cohort_of_one_label_source_says_what_is_missing(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=NIH, panel="labels")
    wording(text_with(page.locator(".labels-lacking"), "nih-oof"))
    expect(page.locator(".labels-lacking")).to_contain_text("docs/evaluate.md")
    assert page.locator(".labels-means tbody tr").count() == 5
    expect(page.locator(".labels-alike")).to_have_count(0)


def test_two_label_sources_are_compared(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=TWO_SOURCES, panel="labels")
    wait_until_complete(page)
    expect(page.locator(".labels-means thead th")).to_have_text(["Model", "one", "readers"])
    orders = page.locator(".labels-alike tbody th").all_inner_texts()
    assert len(orders) == 3 and "2 models" in orders[0] and "first" in orders[1] and "second" in orders[2]
    for order in orders:
        wording(order)
    kappa = page.locator(".labels-agreement tbody tr").first.locator("td").last
    expect(kappa).to_contain_text("[+0.")
    drawn(page)
    assert page.locator(".chart-drawn .scatterlayer .point").count() == 2
    for width in (1440, 390):
        assert_accessible_at(page, width, within=".evaluate")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
