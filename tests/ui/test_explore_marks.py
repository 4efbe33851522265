"""Marks in the page: by keyboard and pointer, kept when it is loaded again; lists from selected films."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from explorer.ui.shared.links import cohort_id
from tests.ui.axe import assert_accessible
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, add_filter, hide, sentence, tiles, wait_until_shown

pytestmark = pytest.mark.browser
PHANTOM = {"cohort": cohort_id("phantom"), "panel": "confused"}  # of the table many intervals are computed
MISSES = PHANTOM | {"outcome": "miss"}


def wait_for_marks(page: Page) -> None:
    page.locator(".case-marks h3").wait_for(timeout=SLOW)


def test_a_case_is_marked_by_keyboard_and_the_gallery_knows(new_changer: NewVisitor) -> None:
    page = new_changer(**MISSES)
    first = tiles(page)[0]
    page.locator(".tile").first.press("Enter")
    wait_for_marks(page)
    star = page.locator(".case-star")
    expect(star).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("s")
    expect(star).to_have_text("\u2605 Starred")
    page.locator(".case-tags").fill("Subtle, apex, s")
    page.locator(".case-tags").press("Tab")
    expect(page.locator(".case-tags")).to_have_value("apex, s, subtle")
    page.locator(".case-note").fill("the left apex")
    page.locator(".case-note").press("Escape")  # leaves the field, not the case
    expect(star).to_be_focused()
    assert_accessible(page, within="dialog.case")  # the page below it is tested at rest
    image = page.locator(".case-id").inner_text()
    page.get_by_role("button", name="Copy the image id").click()
    assert page.evaluate("navigator.clipboard.readText()") == image != first
    page.keyboard.press("ArrowRight")
    expect(page.locator(".case-title")).to_contain_text("Case 2 of", timeout=SLOW)
    wait_for_marks(page)
    expect(page.locator(".case-note")).to_have_value("")
    page.keyboard.press("Escape")
    wait_until_shown(page)
    expect(page.locator(".tile").first.locator(".tile-star")).to_have_text("\u2605")
    assert page.locator(".tile").first.get_attribute("aria-label").split(", ")[1] == "starred"  # type: ignore[union-attr]
    add_filter(page, "Marked", "tag: apex")
    assert tiles(page) == [first] and sentence(page).count("tagged \u201capex\u201d") == 1
    page = new_changer(**PHANTOM, marked="noted")  # in another window, where nothing is known yet
    assert tiles(page) == [first]
    page.locator(".tile").first.click()
    wait_for_marks(page)
    expect(page.locator(".case-note")).to_have_value("the left apex")
    assert "apex" not in page.url


def test_selected_films_become_a_list_that_is_saved_and_read_back(new_changer: NewVisitor, tmp_path: Path) -> None:
    page = new_changer(**MISSES)
    some = tiles(page)[2:6]
    page.locator(".tile").nth(2).press("x")
    page.locator(".tile").nth(4).click(modifiers=["Shift"])
    page.locator(".tile-place").nth(5).hover()
    page.locator(".tile-select").nth(5).check()
    expect(page.locator(".selection-said")).to_have_text("4 chosen")
    assert_accessible(page, within=".gallery")  # the numbers beside it are tested at rest
    with page.expect_download() as chosen:
        page.locator(".selection-export").click()
    assert [line.split(",")[5] for line in chosen.value.path().read_text().splitlines()[1:]] == ["miss"] * 4
    page.get_by_role("button", name="Add to list").click()
    dialog = page.get_by_role("dialog", name="Lists of phantom")
    dialog.locator(".lists-name").fill("For Tuesday")
    dialog.locator(".lists-name").press("Enter")
    expect(dialog.locator(".lists-said")).to_have_text("4 cases in For Tuesday.")
    expect(page.locator(".selection")).to_be_hidden()
    assert_accessible(page, within="dialog.lists")
    dialog.get_by_label("Name of the list For Tuesday").fill("For Monday")
    dialog.get_by_label("Name of the list For Tuesday").press("Tab")
    expect(dialog.locator(".lists-said")).to_have_text("Renamed.")
    with page.expect_download() as download:
        dialog.get_by_role("button", name="CSV: For Monday").click()
    file = tmp_path / "back.csv"
    download.value.save_as(file)
    with file.open(newline="") as table:
        assert {row["outcome"] for row in csv.DictReader(table)} == {"miss"}
    dialog.get_by_role("button", name="Delete: For Monday").click()
    dialog.get_by_role("button", name="Delete for good: For Monday").click()
    expect(dialog.locator(".lists-none")).to_be_visible()
    dialog.get_by_label("Import").set_input_files(file)
    expect(dialog.locator(".lists-said")).to_have_text("4 cases added to back.")
    dialog.get_by_role("button", name="Show: back").click()
    wait_until_shown(page)
    assert sorted(tiles(page)) == sorted(some) and "in the list \u201cback\u201d, " in sentence(page)


def test_nothing_is_selected_or_listed_while_labels_are_hidden(new_changer: NewVisitor) -> None:
    page = new_changer(**MISSES)
    hide(page)
    page.locator(".tile").first.press("x")
    expect(page.locator(".selection")).to_be_hidden()
    expect(page.locator(".tile-select, .tile-star")).to_have_count(0)
    expect(page.locator(".lists-open")).to_be_disabled()
    page.locator(".tile").first.click()
    page.locator(".case-reveal").wait_for()
    expect(page.locator(".case-star")).to_be_hidden()


def test_nothing_of_the_dialog_is_cut_in_a_narrow_window(new_changer: NewVisitor) -> None:
    page = new_changer(**MISSES)
    page.locator(".lists-open").click()
    dialog = page.get_by_role("dialog", name="Lists of phantom")
    expect(dialog).to_be_visible()
    for width in (1024, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
        assert dialog.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth")
        assert_accessible(page, within="dialog.lists")
