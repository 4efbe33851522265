"""How uncertain labels count, in a browser: a switch of Evaluate, a filter of Explore, one word of both addresses."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from explorer.store.slices import Slice
from tests.ui.axe import assert_accessible_at
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import NIH, UNSURE, rows, state, wait_until_compared
from tests.ui.explore_room import add_filter, remove_filter, sentence, tiles, wait_until_shown
from tests.ui.explore_room import state as explore_state
from tests.ui.unsure import MODELS, NAME

pytestmark = [pytest.mark.browser, pytest.mark.shared]

SWITCH = "[data-key='choose uncertain']"


def choose(page: Page, counted: str) -> None:
    page.locator(SWITCH).select_option(counted)
    wait_until_compared(page)


def test_the_switch_turns_the_order_of_the_models_and_holds_in_every_panel(new_board: NewVisitor) -> None:
    page = new_board(cohort=UNSURE, metric="auroc")
    label = page.locator(".evaluate-choice", has=page.locator(SWITCH))
    expect(label).to_contain_text("Uncertain labels (2)")
    expect(page.locator(SWITCH).locator("option:checked")).to_have_text("left out")
    choose(page, "as absent")
    assert state(page)["uncertain"] == "absent" and rows(page) == ["first", "second"]
    expect(page.locator(".evaluate-title")).to_contain_text("uncertain labels as absent")
    choose(page, "as present")
    assert state(page)["uncertain"] == "present" and rows(page) == ["second", "first"]
    page.get_by_role("button", name="A finding", exact=True).click()
    wait_until_compared(page)
    expect(page.locator(".evaluate-title")).to_contain_text("uncertain labels as present")
    for width in (1440, 390):
        assert_accessible_at(page, width, within=".evaluate")
    choose(page, "left out")
    assert "uncertain" not in state(page)


def test_both_bounds_are_a_panel_and_the_way_back_is_the_switch(new_board: NewVisitor) -> None:
    page = new_board(cohort=UNSURE, metric="auroc", uncertain="present")
    choose(page, "both bounds")
    assert state(page)["panel"] == "labels" and "uncertain" not in state(page)
    columns = ["Model", "uncertain ones as absent", "uncertain ones as present"]
    expect(page.locator(".labels-means thead th")).to_have_text(columns)
    expect(page.locator(SWITCH).locator("option:checked")).to_have_text("both bounds")
    choose(page, "as absent")
    assert state(page)["uncertain"] == "absent" and "panel" not in state(page)


def test_a_cohort_without_uncertain_labels_has_no_switch(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH)
    expect(page.locator(SWITCH)).to_have_count(0)


def test_explore_counts_as_its_filter_says_and_hands_the_word_to_evaluate(new_panel: NewVisitor) -> None:
    page = new_panel(Slice(NAME, MODELS[0], outcomes=("miss",), finding="Mass"))
    note = page.locator(".explore-uncertain")
    expect(note).to_contain_text("2 uncertain labels of this cohort are left out.")
    assert tiles(page) == []
    add_filter(page, "Uncertain labels", "as present")
    expect(note).to_contain_text("2 uncertain labels of this cohort count as present.")
    assert explore_state(page)["uncertain"] == "present" and len(tiles(page)) == 2
    assert "uncertain labels as present" in sentence(page)
    page.locator(".tile").first.click()
    expect(page.locator(".case-figures")).to_contain_text("Labeled uncertain, counted as present, score ")
    page.keyboard.press("Escape")
    for width in (1440, 390):
        assert_accessible_at(page, width, within=".explore")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".to-evaluate").click()
    wait_until_compared(page)
    expect(page.locator(SWITCH).locator("option:checked")).to_have_text("as present")
    page.go_back()
    wait_until_shown(page)
    remove_filter(page, "uncertain")
    note.get_by_role("link", name="Compare both ways").click()
    wait_until_compared(page)
    expect(page.locator(SWITCH).locator("option:checked")).to_have_text("both bounds")
