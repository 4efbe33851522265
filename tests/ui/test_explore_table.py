"""The table of findings and centers beside the gallery: its cells, its orders, its words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from explorer.store.slices import Slice
from explorer.ui.shared.links import center_id
from tests.support.wording import Wording
from tests.ui.axe import HEIGHT
from tests.ui.conftest import NewVisitor
from tests.ui.explore_room import SLOW, add_filter, sentence, state
from tests.ui.held import asks
from tests.ui.panel_room import CENTERS, wait_until_drawn
from tests.ui.three_centers import LARGE, MODEL, NAME, TRAINED_ON, UNLABELLED

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def cell(page: Page, finding: str, center: str | None) -> Locator:
    at = center_id(NAME, center) if center else ""
    return page.locator(f".cells-rate .cell[data-finding={finding}][data-center='{at}']")


def rows(page: Page) -> list[str]:
    return page.locator(".cells-line .cells-name").all_inner_texts()


def test_a_click_on_a_cell_sets_finding_and_center_and_back_undoes_it(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS)
    before = sentence(page)
    cell(page, "mass", TRAINED_ON).click()
    expect(page.locator(".sentence")).to_contain_text("Mass")
    wait_until_drawn(page)
    assert TRAINED_ON in sentence(page)
    assert state(page)["finding"] == "mass" and state(page)["center"] == center_id(NAME, TRAINED_ON)
    assert set(page.locator(".tile-finding").all_inner_texts()) == {"Mass"}
    expect(page.locator(".cells-rate .cell[aria-pressed=true]")).to_have_count(1)
    expect(cell(page, "mass", TRAINED_ON)).to_be_focused()
    assert len(rows(page)) == 15  # the table stays that of all findings and centers
    page.go_back()
    expect(page.locator(".sentence")).to_have_text(before)
    page.go_forward()
    expect(page.locator(".sentence")).to_contain_text("Mass")
    wait_until_drawn(page)
    cell(page, "mass", TRAINED_ON).click()
    expect(page.locator(".sentence")).to_have_text(before)


def test_a_click_on_a_finding_takes_all_centers(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS)
    page.locator(".cells-finding .cell[data-finding=hernia]").click()
    expect(page.locator(".sentence")).to_contain_text("Hernia")
    assert "center" not in state(page)


def test_unseen_findings_are_a_band_and_a_filter_of_their_own(new_panel: NewVisitor) -> None:
    page = new_panel(Slice("phantom", "phantom-vlm"))
    expect(page.locator(".cells-group").last).to_have_text("Unseen (Task 2)")
    unseen = rows(page)[-6:]
    assert sorted(unseen) == ["Adenopathy", "Bulla", "Goiter", "Infarction", "Osteopenia", "Scoliosis"]
    add_filter(page, "Seen, unseen", "unseen (Task 2)")
    wait_until_drawn(page)
    assert "unseen" in sentence(page) and "phantom-vlm" in sentence(page)
    assert state(page)["task"] == "unseen" and rows(page) == unseen
    expect(page.locator(".cells-group")).to_have_count(1)


def test_sorting_by_center_gap_asks_nothing_and_stays_in_the_link(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS, without="none")
    assert page.locator(".cells-group").count() > 1
    asked = [*map(partial(asks, page), ("slice_page", "cell_table"))]  # from now on: the page ahead may be on its way
    page.locator("[data-sort=gap]").click()
    expect(page.locator("th[aria-sort=descending] [data-sort=gap]")).to_be_focused()
    signed = [text.replace("\u2212", "-") for text in page.locator(".cells-gap .cell-value").all_inner_texts()]
    gaps = [abs(float(text)) for text in signed]
    assert len(gaps) > 10 and any(text.startswith("-") for text in signed) and any(text[0] == "+" for text in signed)
    assert all(one >= other - 0.005 for one, other in pairwise(gaps))  # the largest first, up to what rounding hides
    assert page.locator(".cells-group").count() == 0
    assert asked == [[], []]
    order = rows(page)
    other = new_panel(CENTERS, **state(page))
    assert rows(other) == order
    page.locator("[data-sort=gap]").click()  # back to head to tail
    expect(page.locator(".cells-group").first).to_be_visible()


@pytest.mark.parametrize(
    ("sort", "key", "of"),
    [
        ("finding", str, ".cells-name"),
        ("positives", lambda text: -int(text.replace(",", "")), ".cells-line .cells-count"),
        ("sensitivity", float, ".cells-rate .cell[data-center=''] .cell-value"),
    ],
)
def test_the_other_orders(new_panel: NewVisitor, sort: str, key: Callable[[str], float | str], of: str) -> None:
    page = new_panel(CENTERS, sort=sort)
    values = [key(text) for text in page.locator(of).all_inner_texts()]
    assert len(values) == 15 and values == sorted(values)


def test_every_cell_can_be_reached_by_keyboard(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS)
    assert page.locator(".cell[tabindex='0']").count() == 1
    page.locator(".cell[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    focused = page.locator(".cell:focus")
    finding, center = focused.get_attribute("data-finding"), focused.get_attribute("data-center")
    assert center == center_id(NAME, LARGE)
    assert f", {LARGE}: sensitivity 0." in (focused.get_attribute("aria-label") or "")
    page.keyboard.press("Enter")
    wait_until_drawn(page)
    assert (state(page)["finding"], state(page)["center"]) == (finding, center)


def test_in_sample_and_unlabelled_centers_say_so(new_panel: NewVisitor, wording: Wording) -> None:
    page = new_panel(CENTERS)
    head = {
        name: page.locator(".cells thead th.cells-rate", has_text=name).inner_text()
        for name in (TRAINED_ON, UNLABELLED)
    }
    assert "in-sample" in head[TRAINED_ON]
    assert "no labels" in head[UNLABELLED]
    wording(head[UNLABELLED])
    shift = cell(page, "mass", UNLABELLED)
    expect(shift).to_contain_text("shift")
    assert "no labels; score shift" in (shift.get_attribute("aria-label") or "")


def test_one_labelled_center_has_its_rates_once(new_panel: NewVisitor) -> None:
    """There is nothing to compare it with: no gap, and all that is labeled is what it has."""
    page = new_panel(Slice("one-labelled", MODEL))
    assert [text.split("\n")[0] for text in page.locator(".cells thead th").all_inner_texts()] == [
        "Finding",
        "n+",
        "n\u2212",
        LARGE,
        UNLABELLED,
    ]
    assert page.locator(".cells-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")


def test_few_positives_are_grey_and_none_is_not_zero(new_panel: NewVisitor) -> None:
    page = new_panel(Slice(NAME, MODEL, age="0-17"))
    hernia = cell(page, "hernia", None)
    expect(hernia).to_have_text("no positives")
    assert page.locator(".cell.few .track-dot").count() > 3


def test_the_measure_is_chosen_for_all_centers(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS)
    page.get_by_role("button", name="AP", exact=True).click()
    expect(page.get_by_role("button", name="AP", exact=True)).to_have_attribute("aria-pressed", "true")
    assert state(page)["measure"] == "precision"
    assert cell(page, "mass", LARGE).locator(".track-chance").count() == 1
    for part in (" chance 0.", "AUROC 0.", "chance 0.50"):
        assert part in (cell(page, "mass", LARGE).get_attribute("aria-label") or "")
    expect(cell(page, "mass", LARGE)).to_contain_text("AUROC 0.")


def test_a_gap_names_its_centers_and_has_its_interval(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS, without="none")
    head = page.locator("thead .cells-gap").inner_text()
    first, second = head.split(" \u2212 ")
    assert {first, second} <= {LARGE, TRAINED_ON, "Middle", UNLABELLED} and first != second
    gap = page.locator("td[data-gap=pleural-effusion]")
    expect(gap.locator(".computing")).to_have_count(0, timeout=2 * SLOW)
    low, high = (
        float(end.replace("\u2212", "-")) for end in gap.locator(".cell-interval").inner_text()[1:-1].split(",")
    )
    value = float(gap.locator(".cell-value").inner_text().replace("\u2212", "-"))
    assert low <= value <= high
    assert gap.locator(".differs-mark").count() == int(low > 0 or high < 0)
    expect(page.locator(".explore-panel:visible .cells-legend")).to_contain_text(f"{head}: ")


@pytest.mark.parametrize("measure", ["specificity", "precision"])
def test_no_measure_of_two_centers_is_cut(new_panel: NewVisitor, measure: str) -> None:
    page = new_panel(Slice("phantom", "phantom"), measure=measure)
    expect(page.locator(".cells-rate .computing")).to_have_count(0, timeout=4 * SLOW)
    assert page.locator(".cells-scroll").evaluate("box => box.scrollWidth <= box.clientWidth")
    cut = "cells => cells.filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent)"
    assert page.locator(".cells thead th, .cells tbody tr > *").evaluate_all(cut) == []
    expect(page.locator(".cells-more")).to_be_hidden()


def heads(page: Page) -> list[str]:
    return [text.split("\n")[0] for text in page.locator(".cells thead th").all_inner_texts()]


def test_at_first_the_difference_of_the_centers_is_a_column_to_choose(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS)
    assert heads(page)[1:] == ["All labeled", LARGE, TRAINED_ON, UNLABELLED]
    page.locator(".cells-columns summary[data-key=columns]").click()
    gap = page.get_by_label(f"{TRAINED_ON} \u2212 {LARGE}", exact=True)
    expect(gap).not_to_be_checked()
    gap.check()
    expect(page.locator("thead .cells-gap")).to_be_visible()
    assert state(page)["without"] == "none"
    gap.uncheck()
    expect(page.locator("thead .cells-gap")).to_have_count(0)
    assert "without" not in state(page)
    page.locator(".cells-columns summary[data-key=columns]").click()  # as the next test finds it


def test_columns_are_chosen_and_stay_in_the_link(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS, without="none")
    before = heads(page)
    assert before[1:] == [f"{TRAINED_ON} \u2212 {LARGE}", "All labeled", LARGE, TRAINED_ON, UNLABELLED]
    asked = [*map(partial(asks, page), ("slice_page", "cell_table"))]
    page.locator(".cells-columns summary[data-key=columns]").press("Enter")
    options = page.get_by_role("group", name="Columns of the table")
    for name in (before[1], "All labeled", UNLABELLED):
        options.get_by_label(name, exact=True).press("Space")
        expect(options.get_by_label(name, exact=True)).to_be_focused()
    assert heads(page) == [before[0], LARGE, TRAINED_ON]
    expect(page.locator(".cells-columns summary[data-key=columns]")).to_have_text("Columns: 2 of 5")
    assert page.locator(".cells-line").first.locator("> *").count() == 3
    assert page.locator(".cells-group th").first.get_attribute("colspan") == "3"
    assert asked == [[], []] and "adjusted over all" not in page.locator(".cells-legend").inner_text()
    other = new_panel(CENTERS, **state(page))
    assert heads(other) == heads(page)
    other.locator(".cells-columns summary[data-key=columns]").click()
    there = other.get_by_role("group", name="Columns of the table")
    there.get_by_label(LARGE, exact=True).uncheck()
    expect(there.get_by_label(TRAINED_ON, exact=True)).to_be_disabled()  # one rate stays
    other.keyboard.press("Escape")  # as the next test finds it
    other.go_back()
    assert heads(other) == heads(page)
    page.keyboard.press("Escape")
    expect(options).to_be_hidden()
    expect(page.locator(".cells-columns summary[data-key=columns]")).to_be_focused()


def test_where_there_are_more_columns_the_names_stay_in_sight(new_panel: NewVisitor) -> None:
    page = new_panel(CENTERS)
    for width in (1440, 1024, 390):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        assert_names_stay(page, width)
        page.keyboard.press("Escape")
        expect(page.get_by_role("group", name="Columns of the table")).to_be_hidden()
        page.locator(".cells-scroll").evaluate("box => box.scrollLeft = 0")


def assert_names_stay(page: Page, width: int) -> None:
    scroll = page.locator(".cells-scroll")
    scroll.evaluate("box => box.style.width = '340px'")  # as with more centers
    expect(page.locator(".cells-more")).to_be_visible()
    left = scroll.evaluate("box => box.getBoundingClientRect().left")
    scroll.evaluate("box => box.scrollLeft = 200")
    for name in (".cells thead .cells-finding", ".cells-line .cells-finding", ".cells-band"):
        at = page.locator(name).first.evaluate("(cell) => cell.getBoundingClientRect().left")
        assert 0 <= at - left <= 6, name
    on_top = """cell => {
        const { left, top } = cell.getBoundingClientRect();
        return cell.contains(document.elementFromPoint(left + 60, top + 8));
    }"""
    assert page.locator(".cells-line .cells-finding").first.evaluate(on_top)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(".cells-columns summary[data-key=columns]").click()
    box = page.get_by_role("group", name="Columns of the table").bounding_box()
    assert box is not None and box["x"] >= 0 and box["x"] + box["width"] <= width
