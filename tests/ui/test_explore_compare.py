"""Two slices beside each other."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from explorer.store.slices import Slice
from explorer.ui.shared.links import slice_words
from tests.support.wording import Wording
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, open_menu, state, use_clinic
from tests.ui.panel_room import NIH, panel
from tests.ui.text_shown import text_with

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def test_two_slices_are_compared_and_the_link_brings_both(new_panel: NewVisitor, wording: Wording) -> None:
    page = new_panel(Slice("nih-oof", "nih-mini", sex="M"), panel="compare")
    page.get_by_role("button", name="Pin this slice").click()
    expect(page.locator(".side")).to_have_count(2)
    open_menu(page, "sex")
    page.get_by_role("option", name="female").click()
    expect(page.locator(".side").nth(0)).to_contain_text("women")
    expect(page.locator(".side").nth(1)).to_contain_text("men and boys")
    expect(page.locator(".side").nth(1)).to_contain_text("843 films")
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    wording(text_with(page.locator(".side-shared")))
    differences = page.locator(".compared-difference .cell-figures").all_inner_texts()
    assert len(differences) == 15
    fragment = state(page)
    other = new_panel(NIH, **fragment)
    expect(panel(other).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    assert other.locator(".compared-difference .cell-figures").all_inner_texts() == differences
    other.get_by_role("button", name="Swap").click()
    expect(other.locator(".side").nth(0)).to_contain_text("men and boys")
    expect(other.locator(".side").nth(0)).not_to_contain_text("women")
    other.get_by_role("button", name="Unpin").click()
    expect(panel(other)).to_contain_text("No slice is pinned")


def test_another_model_is_compared_with_the_pinned_one_on_the_same_films(new_panel: NewVisitor) -> None:
    page = new_panel(NIH, panel="compare")
    page.get_by_role("button", name="Pin this slice").click()
    expect(page.locator(".side")).to_have_count(2)
    open_menu(page, "model")
    page.get_by_role("option", name="nih-ensemble").click()
    expect(page.locator(".side").nth(0)).to_contain_text("nih-ensemble")
    expect(page.locator(".side").nth(1)).to_contain_text("nih-mini")
    expect(page.locator(".side-shared")).to_contain_text("1,650 films")
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    differences = page.locator(".compared-difference .cell-figures").all_inner_texts()
    assert len(differences) == 15 and len(set(differences)) > 3
    use_clinic(page)
    expect(panel(page)).to_contain_text("No slice is pinned")


def test_a_difference_is_marked_by_more_than_color(new_panel: NewVisitor, wording: Wording) -> None:
    page = new_panel(
        Slice("nih-oof", "nih-ensemble"),
        panel="compare",
        measure="specificity",
        beside=urlencode(slice_words(Slice("nih-oof", "nih-mini"))),
    )
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    wording(text_with(panel(page).locator("p", has_text="Benjamini")))
    marked = page.locator(".compared tr.differs")
    assert 0 < marked.count() < 15
    for row in marked.all():
        low, high = (
            float(end.replace("\u2212", "-"))
            for end in row.locator(".compared-difference .cell-interval").inner_text().strip("[]").split(",")
        )
        assert low > 0 or high < 0  # an end that reads 0 would speak against the mark
        expect(row.get_by_role("img", name="differs by more than chance explains")).to_be_visible()
    plain = page.locator(".compared tbody tr:not(.differs)")
    assert plain.get_by_role("img", name="differs by more than chance explains").count() == 0


def test_ap_of_films_of_another_prevalence_has_no_mark_and_auroc_beside_it(
    new_panel: NewVisitor, wording: Wording
) -> None:
    page = new_panel(
        Slice("nih-oof", "nih-mini", view="AP"),
        panel="compare",
        measure="precision",
        beside=urlencode(slice_words(Slice("nih-oof", "nih-mini", view="PA"))),
    )
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    others = page.locator(".compared-difference", has_text="prevalence differs: not compared")
    assert 3 < others.count() < 15
    signed = 0
    for cell in others.all():
        (low, high), *_ = (
            [float(end.replace("\u2212", "-")) for end in text[1:-1].split(",")]
            for text in cell.locator(".cell-interval").all_inner_texts()
        )
        signed += low > 0 or high < 0
        precision = cell.locator(".cell-figures").first
        assert precision.locator(".differs-mark").count() == 0
        expect(precision.locator(".cell-value")).to_have_css("font-weight", "400")  # nor any other sign
    assert signed > 0  # intervals that leave 0 out, and have no mark all the same
    for figure in page.locator(".compared-figure", has=page.locator(".cell-value")).all():
        expect(figure).to_contain_text("chance 0.")
        expect(figure).to_contain_text("AUROC 0.")
    wording(text_with(panel(page).locator("p", has_text="differ in prevalence")))


def test_several_slices_are_pinned_and_findings_ordered_by_a_difference(
    new_panel: NewVisitor, wording: Wording
) -> None:
    pinned = [Slice("nih-oof", "nih-mini", view="PA"), Slice("nih-oof", "nih-ensemble", view="AP")]
    words = {name: urlencode(slice_words(each)) for name, each in zip(("beside", "beside2"), pinned, strict=True)}
    page = new_panel(Slice("nih-oof", "nih-mini", view="AP"), panel="compare", measure="auroc", **words)
    expect(panel(page).locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    expect(page.locator(".side-title")).to_have_text(["Now", "Pinned 1", "Pinned 2"])
    wording(text_with(panel(page).locator(".cells-more")))
    findings = page.locator(".compared tbody .panel-link")
    head_to_tail = findings.all_inner_texts()
    order = page.get_by_role("button", name="Difference 2 [95 %]")
    for direction in ("descending", "ascending"):
        order.click()
        expect(page.locator(f".compared th[aria-sort={direction}]")).to_have_count(1)
        shown = page.locator(".compared tbody tr td:last-child .cell-value").all_inner_texts()
        values = [float(text.replace("\u2212", "-")) for text in shown]
        assert (
            values == sorted(values, reverse=direction == "descending") and len(values) == 14
        )  # no AP film shows a hernia
        assert sorted(findings.all_inner_texts()) == sorted(head_to_tail)
    order.click()
    expect(page.locator(".compared th[aria-sort]:not([aria-sort=none])")).to_have_count(0)
    assert findings.all_inner_texts() == head_to_tail
    page.get_by_role("button", name="Pin this one too").click()
    expect(page.locator(".side-title")).to_have_text(["Now", "Pinned 1", "Pinned 2", "Pinned 3"])
    expect(page.get_by_role("button", name="Pin this one too")).to_have_count(0)
    page.get_by_role("button", name="Unpin").first.click()
    expect(page.locator(".side-sentence").nth(1)).to_contain_text("nih-ensemble")
    expect(page.locator(".side-title")).to_have_count(3)
