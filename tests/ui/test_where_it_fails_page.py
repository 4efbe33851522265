"""Where it fails, on the page: a ranked list whose rows leave their films in the gallery, and lead back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from explorer.store.slices import Slice
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, sentence, state, wait_until_shown
from tests.ui.panel_room import panel

pytestmark = [pytest.mark.browser, pytest.mark.shared]

MASS = Slice("nih-oof", "nih-mini", finding="Mass")


def wait_until_found(page: Page) -> None:
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=8 * SLOW)
    expect(panel(page).locator(".fails-row, .panel-notice").first).to_be_visible(timeout=SLOW)


def test_a_row_leaves_its_failures_in_the_gallery_and_gives_them_back(new_panel: NewVisitor) -> None:
    page = new_panel(MASS, panel="fails", failure="false alarm")
    wait_until_found(page)
    expect(panel(page)).to_contain_text("699 films")
    row = panel(page).locator("button.fails-row", has_text="Men and boys")
    expect(row).to_contain_text("122 of 146")
    expect(row).to_contain_text("417 of 770")
    row.click()
    wait_until_shown(page)
    assert "Mass by nih-mini" in sentence(page) and "men and boys" in sentence(page)
    assert state(page)["outcome"] == "false-alarm" and state(page)["sex"] == "m"
    wait_until_found(page)
    expect(row).to_have_attribute("aria-pressed", "true")
    expect(panel(page).locator(".panel-said")).to_contain_text("1,650 films")  # still looked within all of them
    page.reload()
    wait_until_shown(page)
    wait_until_found(page)
    expect(row).to_have_attribute("aria-pressed", "true")
    panel(page).get_by_role("button", name="Back to all these films").click()
    wait_until_shown(page)
    assert "within" not in state(page) and sentence(page).startswith("Scores of Mass")
    expect(row).to_have_attribute("aria-pressed", "false")


def test_misses_and_false_alarms_facets_and_clusters_are_words_of_the_address(new_panel: NewVisitor) -> None:
    page = new_panel(MASS, panel="fails")
    wait_until_found(page)
    panel(page).get_by_role("button", name="False alarms").click()
    assert state(page)["failure"] == "false alarm"
    panel(page).get_by_role("button", name="Embeddings").click()
    assert state(page)["fails"] == "embeddings"
    wait_until_found(page)
    summary = panel(page).locator(".fails-unconfirmed summary")
    if summary.count():
        summary.click()
    first = panel(page).locator(".fails-cluster").first
    expect(first.locator(".fails-marks")).to_contain_text("More often")
    name = first.locator(".fails-name").inner_text()
    assert name.startswith(("Mostly ", "More often ")) and "\nCluster " in name
    for line in first.locator(".fails-marks li").all():
        words, here, rest = line.locator("span").all_inner_texts()
        assert words[0].isupper() and words[1:] in name
        assert re.fullmatch(r"\d+\xa0% \[[<>]?\d+\u2013[<>]?\d+\]", here) and rest.startswith("others ")
    assert 1 <= first.locator(".small-film").count() <= 12
    panel(page).locator(".panel-details summary").click()
    expect(panel(page).locator(".panel-details")).to_contain_text("embeddings of nih-mini")
    first.locator(".small-film").first.click()
    expect(page.locator("dialog.case")).to_be_visible()
    page.keyboard.press("Escape")
    first.get_by_role("button", name="as a list").click()
    expect(page.locator(".sentence")).to_contain_text("\u201cMass, cluster ")
    assert state(page)["within"] and state(page)["fails"] == "embeddings"


def test_the_table_is_saved(new_panel: NewVisitor) -> None:
    page = new_panel(MASS, panel="fails")
    wait_until_found(page)
    with page.expect_download() as saved:
        panel(page).get_by_role("button", name="CSV").click()
    assert saved.value.suggested_filename == "tailscope_where-it-fails_nih-oof_nih-mini_facets.csv"
