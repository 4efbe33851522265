"""The panel Published in a browser: choosing a table and a model, widths, the keyboard, and nothing that shifts."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from explorer.ui.shared.links import center_id, cohort_id, model_id
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import NIH, state, wait_until_compared, wait_until_complete
from tests.ui.explore_room import SLOW

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
    expect(page.locator(".worked-table")).to_have_count(4)
    page.get_by_role("button", name="2026-groups", exact=True).first.click()  # the cells behind a statement
    expect(page.locator(".evaluate-title")).to_contain_text("Extended Data Table 4", timeout=SLOW)


@pytest.mark.parametrize(
    "table", ["2026-findings-1", "2023-ap", "chexpert-labeler", "reveal-agreement", "statements", "luck"]
)
def test_tables_are_accessible_and_no_wider_than_the_page(new_board: NewVisitor, table: str) -> None:
    page = new_board(cohort=NIH, panel="published", table=table)
    wait_until_complete(page)
    for width in (1440, 1024, 390):
        assert_accessible_at(page, width, within=".evaluate-board")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


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
