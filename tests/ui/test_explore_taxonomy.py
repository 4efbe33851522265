"""The table of findings under a taxonomy: its names and order, what is related, the crosswalk and its file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.core.crosswalk import crosswalk, crosswalk_csv, label_facts
from explorer.core.findings import NIH_WORDS, TAXONOMIES
from tests.support.wording import Wording
from tests.ui.axe import HEIGHT, assert_accessible
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, state
from tests.ui.panel_room import NIH
from tests.ui.text_shown import text_with

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def names(page: Page) -> list[str]:
    return page.locator(".cells-line .cells-name").all_inner_texts()


def bands(page: Page) -> list[str]:
    return page.locator(".cells-band").all_inner_texts()


def chooser(page: Page) -> Locator:
    """The choice, unfolded."""
    fold = page.locator("details.cells-columns", has_text="Taxonomy")
    if fold.get_attribute("open") is None:
        fold.locator("summary").click()
    return page.get_by_label("Names and order of")


def test_a_taxonomy_names_and_orders_the_findings_and_stays_in_the_link(
    new_panel: NewVisitor, wording: Wording
) -> None:
    page = new_panel(NIH)
    before = names(page)
    assert chooser(page).locator("option").all_inner_texts() == ["as in the cohort", *TAXONOMIES]
    chooser(page).focus()
    chooser(page).select_option("NIH ChestX-ray14")
    expect(page.locator(".cells-band").first).to_have_text("NIH ChestX-ray14", timeout=SLOW)
    assert state(page)["taxonomy"] == "nih-chestx-ray14"
    labels = TAXONOMIES["NIH ChestX-ray14"].seen
    here = [label for label in labels if NIH_WORDS[label] in before]  # Normal is no label of the 14
    assert names(page) == [*here, "Normal"]
    whole, rest = bands(page)
    assert whole == "NIH ChestX-ray14" and whole in rest
    wording(rest)
    effusion = page.locator(".cells-line[data-finding=pleural-effusion] .cells-finding")
    assert effusion.inner_text().split("\n")[:2] == ["Effusion", "Pleural Effusion"]
    expect(chooser(page)).to_be_focused()

    other = new_panel(NIH, **state(page))
    expect(other.locator(".cells-band").first).to_have_text("NIH ChestX-ray14", timeout=SLOW)
    chooser(other).select_option("CheXpert")
    expect(other.locator(".cells-band").first).to_have_text("CheXpert", timeout=SLOW)
    mass = other.locator(".cells-line[data-finding=mass] .cells-finding")
    assert mass.inner_text().split("\n")[:2] == ["Mass", "related to Lung Lesion"]
    whole, *others = bands(other)
    assert whole == "CheXpert" and len(others) == 2 and all(whole in each for each in others)
    for each in others:
        wording(each)
    other.go_back()
    expect(other.locator(".cells-band").first).to_have_text("NIH ChestX-ray14", timeout=SLOW)
    chooser(other).select_option("as in the cohort")
    expect(other.locator(".crosswalk")).to_have_count(0)
    assert names(other) == before and "taxonomy" not in state(other)


def test_the_crosswalk_opens_and_is_saved(new_panel: NewVisitor, tmp_path: Path) -> None:
    page = new_panel(NIH, taxonomy="reveal-cxr")
    box = page.locator(".crosswalk")
    box.wait_for(timeout=SLOW)
    box.locator("summary").press("Enter")
    findings = sorted({*NIH_WORDS.values()})
    expected = crosswalk(TAXONOMIES["REVEAL-CXR"], findings)
    rows = [row.locator("th, td").all_inner_texts() for row in box.locator("tbody tr").all()]
    assert [row[0].split("\n")[0] for row in rows] == [line.label or "\u2013" for line in expected]
    assert [row[2] for row in rows] == [line.finding or "\u2013" for line in expected]
    nodule = next(row for row in rows if row[0].startswith("Lung nodule"))
    assert nodule[0].split("\n") == ["Lung nodule", label_facts("Lung nodule").sentence]  # type: ignore[union-attr]
    in_table = page.locator(".cells-line[data-finding=nodule] .cells-name")
    assert in_table.get_attribute("title") == "Lung nodule: " + nodule[0].split("\n")[1]  # its size, where it is read
    expect(in_table).to_have_class("cells-name term")
    expect(page.locator(".cells-line").get_by_text("computing")).to_have_count(0, timeout=SLOW)  # drawn anew till then
    lines = page.locator(".cells-line").evaluate_all("lines => lines.map((line) => line.dataset.finding)")
    page.locator(".cells-line .cell").first.focus()
    for _ in range(lines.index("nodule")):
        page.keyboard.press("ArrowDown")
    expect(page.locator(".term-tip")).to_have_text(str(in_table.get_attribute("title")))
    expect(in_table).to_have_attribute("aria-describedby", "term-tip")
    page.keyboard.press("Escape")
    expect(page.locator(".term-tip")).to_have_count(0)
    assert nodule[1:3] == ["narrower than", "Nodule"] and nodule[3].startswith("Tailscope, not a paper")
    with page.expect_download() as saved:
        box.get_by_role("button", name="CSV").click()
    saved.value.save_as(tmp_path / "crosswalk.csv")
    assert saved.value.suggested_filename == "tailscope_crosswalk_reveal-cxr_nih-oof_nih-mini.csv"
    text = (tmp_path / "crosswalk.csv").read_text(encoding="utf-8")
    parsed = csv.DictReader(io.StringIO(crosswalk_csv(TAXONOMIES["REVEAL-CXR"], expected)))
    assert list(csv.DictReader(io.StringIO(text))) == list(parsed)


def test_a_taxonomy_that_is_not_known_is_told_and_the_table_stays(new_panel: NewVisitor, wording: Wording) -> None:
    page = new_panel(NIH, taxonomy="luck")
    wording(text_with(page.locator(".panel-notice-title").first, timeout=SLOW))
    assert len(names(page)) == 15


def test_it_fits_and_axe_finds_nothing(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, taxonomy="reveal-cxr", panel="table")
    page.locator(".crosswalk summary").click(timeout=SLOW)
    panel = page.locator(".explore-panel:visible")
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert panel.evaluate("box => box.scrollWidth <= box.clientWidth")
        assert_accessible(page, within=".explore-panels")
