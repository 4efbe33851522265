"""The panel Published in a browser: choosing a table and a model, widths, the keyboard, and nothing that shifts."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.published.catalog import CHECKS
from explorer.ui.shared.links import center_id, cohort_id, model_id
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import NIH, state, wait_until_compared, wait_until_complete
from tests.ui.explore_room import SLOW
from tests.ui.panel_room import CUT_LABELS

pytestmark = [pytest.mark.browser]

PHANTOM = cohort_id("phantom")
TWO = ".".join(model_id("phantom", name) for name in ("phantom", "lab-class-aware-0"))


def cells(page: Page, row: str) -> list[str]:
    """A row's cells of the first table, each as one line."""
    line = page.locator(f".evaluate-board tbody tr:has(th:text-is('{row}'))").first
    return [" ".join(words.split()) for words in line.locator("td").all_inner_texts()]


def test_the_first_table_has_the_papers_figures_and_the_model_apart(new_board: NewVisitor) -> None:
    page = new_board(cohort=PHANTOM, panel="published", models=TWO)
    wait_until_complete(page)
    *printed, own = cells(page, "mAP")
    assert printed[0] == "0.585 [0.540–0.621]" and len(printed) == 6
    assert "[0." in own and "30 findings, n+ from" in own
    head = page.locator(".printed-table thead th").last
    expect(head).to_contain_text("phantom")
    expect(head).to_contain_text("another test set")
    expect(head).to_contain_text("SIMULATED")
    expect(page.locator(".evaluate-simulated")).to_be_hidden()  # the paper's films are real


def test_tables_and_models_are_chosen_and_back_leads_to_the_table_before(new_board: NewVisitor) -> None:
    page = new_board(cohort=PHANTOM, panel="published", models=TWO)
    page.get_by_role("combobox", name="Table").select_option(label="Task 1: mAP by frequency group")
    wait_until_compared(page)
    assert state(page)["table"] == "2026-groups"
    expect(page.locator(".evaluate-title")).to_contain_text("Extended Data Table 4", timeout=SLOW)
    assert cells(page, "very rare")[0] == "0.826"
    page.get_by_role("combobox", name="Beside it").select_option(label="lab-class-aware-0")
    expect(page.locator(".published-own-name")).to_have_text("lab-class-aware-0", timeout=SLOW)
    page.go_back()
    page.go_back()
    expect(page.locator(".evaluate-title")).to_contain_text("Extended Data Table 1", timeout=SLOW)


def test_the_leaderboard_has_no_published_figures_of_its_own(new_board: NewVisitor) -> None:
    page = new_board(cohort=PHANTOM, models=TWO)
    expect(page.locator(".what-counts")).to_be_visible()
    expect(page.locator(".evaluate-board")).not_to_contain_text("Published")
    page.get_by_role("button", name="Published", exact=True).click()
    expect(page.locator(".printed-table")).to_be_visible(timeout=SLOW)


def test_statements_stand_with_their_verdicts(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="published", table="statements")
    board = page.locator(".evaluate-board")
    expect(board).to_contain_text("holds for 1 of 9")
    expect(board).to_contain_text("does not hold")
    expect(page.locator(".evaluate-board > .board-scroll .worked-table")).to_have_count(4)
    page.get_by_role("button", name="2026-groups", exact=True).first.click()  # the cells behind a statement
    expect(page.locator(".evaluate-title")).to_contain_text("Extended Data Table 4", timeout=SLOW)


def figure(page: Page, name: str) -> Locator:
    return page.locator(f".published-figure:has(.published-title:text-is('{name}'))")


def test_a_calculation_is_drawn_with_the_cells_behind_it(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="published", table="oracle")
    box = figure(page, "Mean AP: the best single team, and the best for each finding")
    box.locator(".main-svg").first.wait_for(timeout=SLOW)
    label = box.locator(".chart-drawn").get_attribute("aria-label") or ""
    assert "0.585 to 0.600: +0.014 at most" in label
    expect(box.locator(".published-source")).to_contain_text("CXR-LT 2026, Extended Data Table 6 (1,400 films")
    assert box.locator(".ytick").count() == 4
    expect(box.locator("table")).to_be_hidden()
    box.get_by_text("The cells behind it").click()
    first = box.locator("tbody tr").first
    expect(first).to_contain_text("0.585")
    expect(first).to_contain_text("+0.014")


def test_figures_of_statements_stand_below_their_verdicts(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="published", table="statements")
    box = figure(page, "Rarity")
    box.locator(".main-svg").first.wait_for(timeout=SLOW)
    expect(box).to_contain_text("By the table: holds for 4 of 6.")
    assert box.locator(".scatterlayer .trace").count() == 6  # a line for each team
    box.get_by_text("The cells behind it").focus()
    page.keyboard.press("Enter")
    very_rare = box.locator("tbody tr:has(th:text-is('very rare')) td")
    assert very_rare.all_inner_texts() == ["0.826", "0.328", "0.381", "0.347", "0.258", "0.038"]
    expect(figure(page, "AP on the gold standard").locator(".point")).to_have_count(234, timeout=SLOW)


def test_a_figure_is_saved_with_its_source(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="published", table="bounds")
    page.locator(".published-figure .main-svg").first.wait_for(timeout=SLOW)
    with page.expect_download() as saved:
        page.locator(".chart-tools").get_by_role("button", name="SVG").click()
    assert saved.value.suggested_filename == "tailscope_published_bounds.svg"
    text = saved.value.path().read_text(encoding="utf-8")
    assert "CXR-LT 2023, Supplementary Table 1" in text and "T9, rank 6 to 9" in text


def test_on_a_phone_names_stand_above_their_rows_and_nothing_overflows(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="published", table="balance")
    chart = page.locator(".published-figure .chart-drawn")
    chart.locator(".ytick").filter(has_text="Distance source to detector").wait_for(timeout=SLOW)
    page.set_viewport_size({"width": 390, "height": 844})
    name = chart.locator(".annotation-text").filter(has_text="Distance source to detector")
    name.wait_for(timeout=SLOW)
    expect(chart.locator(".ytick text")).to_have_count(0)
    assert chart.locator(".xtick text").all_text_contents() == ["0.2", "0.4", "0.6"]
    scroll = page.locator(".published-figure .board-scroll").first
    assert scroll.evaluate("(box) => box.scrollWidth <= box.clientWidth")


@pytest.mark.parametrize("table", ["2026-findings-1", "2023-ap", "chexpert-labeler", "reveal-agreement", *CHECKS])
def test_tables_are_accessible_and_no_wider_than_the_page(new_board: NewVisitor, table: str) -> None:
    page = new_board(cohort=NIH, panel="published", table=table)
    wait_until_complete(page)
    if table in CHECKS:
        page.locator(".published-figure .main-svg").first.wait_for(timeout=SLOW)
    for width in (1440, 1024, 390):
        assert_accessible_at(page, width, within=".evaluate-board")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT_LABELS) == []


def test_on_a_phone_the_model_s_own_column_is_in_view(new_board: NewVisitor) -> None:
    page = new_board(cohort=PHANTOM, panel="published", models=TWO)
    wait_until_complete(page)
    page.set_viewport_size({"width": 390, "height": 844})
    row = page.locator(".printed-table tbody tr").first
    for scrolled in (0, 200):
        page.locator(".board-scroll:has(.printed-table)").evaluate("(box, left) => (box.scrollLeft = left)", scrolled)
        name, own = row.locator("th").bounding_box(), row.locator("td").last.bounding_box()
        assert name and own and name["x"] >= 0 and own["x"] + own["width"] <= 390
        assert own["x"] - name["x"] - name["width"] > 90  # one of the papers' columns


def test_a_table_is_chosen_with_the_keyboard_and_keeps_the_focus(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, panel="published")
    choice = page.get_by_role("combobox", name="Table")
    choice.focus()
    page.keyboard.press("ArrowDown")
    wait_until_compared(page)
    expect(page.locator(".evaluate-title")).to_contain_text("Extended Data Table 2", timeout=SLOW)
    expect(choice).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("region", name="Task 1, 30 seen findings: perturbed films")).to_be_focused()


def test_intervals_that_arrive_move_nothing(new_board: NewVisitor) -> None:
    page = new_board(cohort=PHANTOM, panel="published", models=TWO, center=center_id("phantom", "B"))
    moved = (
        """() => [...document.querySelectorAll(".evaluate-board tr")].map((row) => row.getBoundingClientRect().top)"""
    )
    before = page.evaluate(moved)
    wait_until_complete(page)
    assert page.evaluate(moved) == before


def test_a_link_leads_to_the_same_table(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH)
    page.goto(
        page.url.partition("#")[0] + "#evaluate?" + urlencode({"panel": "published", "table": "chexpert-policies"})
    )
    wait_until_compared(page)
    assert cells(page, "Atelectasis")[2] == "0.858 [0.806–0.910]"
