"""The Evaluate tab in a browser: choices, order, reference, intervals, files; the address is the state."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from explorer.ui.shared.links import center_id
from tests.support.wording import Wording
from tests.ui.axe import assert_accessible_at
from tests.ui.clinic import RUN
from tests.ui.conftest import NewVisitor
from tests.ui.evaluate_room import (
    CENTERS,
    CLINIC,
    NIH,
    OWN,
    row,
    rows,
    state,
    wait_until_compared,
    wait_until_complete,
)
from tests.ui.explore_room import SLOW, Answers
from tests.ui.held import HeldAnswers
from tests.ui.text_shown import text_with
from tests.ui.three_centers import UNLABELLED
from tests.ui.windows import go, leave

pytestmark = [pytest.mark.browser, pytest.mark.shared]


def test_points_are_there_first_and_intervals_take_the_place_of_computing(new_board: NewVisitor) -> None:
    page = new_board(cohort=CLINIC)
    page.unroute_all()
    wait_until_complete(page)
    figure = row(page, "first").locator(".board-figure").first
    value, reach = (figure.locator(f".board-{name}").inner_text() for name in ("value", "reach"))
    assert value.startswith("0.") and reach.startswith("[0.")
    assert float(reach[1:-1].split("\u2013")[0]) < float(value)


def test_while_intervals_are_computed_it_says_so_and_saves_nothing(new_board: NewVisitor) -> None:
    page = new_board(cohort=CLINIC)
    held = HeldAnswers(page, "board", only=range(1, 99))
    go(page, page.url.partition("#")[0] + f"#evaluate?cohort={OWN}")
    wait_until_compared(page)
    if page.locator(".evaluate .computing").count():  # another test may have asked before
        expect(page.locator(".evaluate-said")).to_have_text("Intervals: computing")
        expect(page.get_by_role("button", name="CSV")).to_be_disabled()
    held.end()
    wait_until_complete(page)
    expect(page.get_by_role("button", name="CSV")).to_be_enabled()


def test_the_figures_are_the_servers(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, metric="auroc")
    wait_until_complete(page)
    answers = Answers(page)
    page.get_by_role("button", name="AP", exact=True).click()
    wait_until_complete(page)
    page.wait_for_timeout(500)
    said = json.loads([text for name, text in answers.said if name == "board"][-1])
    board = said["data"][0] if "data" in said else said
    columns: set[tuple[int, ...]] = set()
    for model in board["rows"]:
        shown = row(page, model["name"]).locator(".board-figure .board-value").all_inner_texts()
        digits = [len(text.partition(".")[2]) for text in shown]
        assert shown == [f"{figure['value']:.{at}f}" for figure, at in zip(model["figures"], digits, strict=True)]
        columns.add(tuple(digits))
    assert len(columns) == 1 and set(*columns) <= {2, 3}  # a column has one number of decimals


def test_a_heading_sorts_the_best_first_and_then_the_other_way(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH)
    first = rows(page)
    page.get_by_role("button", name="all seen").click()
    assert rows(page) == first[::-1] and state(page)["upside"] == "1"
    page.get_by_role("button", name="Model", exact=True).click()
    assert rows(page) == sorted(first) and state(page)["by"] == "model"
    page.get_by_role("button", name="rare", exact=True).click()
    expect(page.get_by_role("columnheader", name="rare", exact=False).first).to_be_visible()
    assert page.locator("th[aria-sort=descending] .board-sort").inner_text() == "rare"
    page.get_by_role("button", name="ECE").click()
    wait_until_compared(page)
    assert page.locator("th[aria-sort=ascending] .board-sort").inner_text() == "rare", "small is good"
    page.go_back()
    wait_until_compared(page)
    assert state(page).get("metric") is None and state(page)["by"] == "rare"


def test_a_row_is_chosen_and_the_others_are_compared_with_it(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH)
    wait_until_complete(page)
    page.get_by_role("radio", name="Compare with nih-phantom", exact=True).check()
    expect(page.locator(".board-table thead .board-difference")).to_contain_text("difference to nih-phantom")
    wait_until_complete(page)
    assert row(page, "nih-phantom").locator(".board-difference").inner_text() == "reference"
    less = row(page, "nih-ensemble").locator(".board-difference").inner_text()
    assert less.startswith("+0.") and " p 0." in less and "[" in less
    assert page.evaluate("document.activeElement.ariaLabel") == "Compare with nih-phantom"
    shares = [float(each) for each in page.locator("td.board-share").all_inner_texts()]
    assert sum(shares) == pytest.approx(1, abs=0.02)
    page.get_by_role("button", name="P(first)").click()
    falling = [float(each) for each in page.locator("td.board-share").all_inner_texts()]
    assert falling == sorted(shares, reverse=True) and state(page)["by"] == "seen-findings first"
    page.get_by_role("button", name="difference to nih-phantom").click()
    expect(page.locator(".board-table thead .board-difference")).to_have_attribute("aria-sort", "descending")
    assert rows(page).index("nih-ensemble") < rows(page).index("nih-phantom")


def test_models_are_chosen_and_one_alone_says_what_is_missing(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH)
    assert len(rows(page)) == 5
    page.get_by_role("checkbox", name="nih-mini-vlm").check()
    expect(page.locator(".board-table tbody tr")).to_have_count(6, timeout=SLOW)
    for model in ("nih-anatomy-probe", "nih-linear-probe", "nih-mini-vlm", "nih-phantom-20000", "nih-phantom"):
        page.get_by_role("checkbox", name=model).first.uncheck()
        wait_until_compared(page)
    page.get_by_role("checkbox", name="nih-mini", exact=False).first.uncheck()
    expect(page.locator(".board-table tbody tr")).to_have_count(1, timeout=SLOW)
    expect(page.locator(".evaluate-hint")).to_contain_text("choose another model")
    expect(page.locator(".board-sentence")).to_contain_text("Choose a second model")
    assert page.locator(".board-share").count() == page.get_by_role("radio").count() == 0
    assert page.get_by_role("checkbox", name="nih-ensemble").is_disabled()


def test_the_only_model_of_a_cohort_says_how_to_add_another(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=OWN)
    wording(text_with(page.locator(".evaluate-hint"), "score --help"))
    expect(page.locator(".board-origin")).to_contain_text("in-sample at South")


def test_films_without_labels_say_what_to_do_and_leave_the_choices(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=CENTERS, center=center_id("three-centers", UNLABELLED))
    wording(text_with(page.locator(".evaluate-refusal")))
    expect(page.locator(".board-table")).to_have_count(0)
    page.get_by_role("combobox", name="Center").select_option(label="all")
    wait_until_compared(page)
    expect(page.locator(".board-table")).to_be_visible()


def test_centers_are_columns_and_a_filter(new_board: NewVisitor) -> None:
    page = new_board(cohort=CENTERS)
    heads = page.locator(".board-sort").all_inner_texts()
    assert "at Aachen" in heads and "at Brest" in heads
    page.get_by_role("combobox", name="Center").select_option(label="Aachen")
    expect(page.locator(".evaluate-title")).to_contain_text("at Aachen", timeout=SLOW)
    wait_until_compared(page)
    assert "at Aachen" not in page.locator(".board-sort").all_inner_texts()
    assert state(page)["center"] == center_id("three-centers", "Aachen")


def test_films_are_filtered_by_view(new_board: NewVisitor) -> None:
    page = new_board(cohort=CLINIC)
    page.get_by_role("combobox", name="View").select_option(label="AP")
    expect(page.locator(".evaluate-title")).to_contain_text("AP films: 20 films", timeout=SLOW)
    assert state(page)["view"] == "ap"
    page.go_back()
    expect(page.locator(".evaluate-title")).to_contain_text("60 films", timeout=SLOW)


def test_names_of_a_visitors_data_are_text(new_board: NewVisitor) -> None:
    page = new_board(cohort=CLINIC)
    wait_until_complete(page)
    assert "at " + RUN in page.locator(".board-sort").all_inner_texts()
    assert page.evaluate("window.ran") is None
    expect(page.locator(".what-counts")).to_contain_text("Means leave out Hernia")


def test_a_link_leads_to_the_same_board(new_board: NewVisitor) -> None:
    page = new_board(cohort=NIH, metric="recall", source="nih", by="rare")
    page.get_by_role("button", name="Copy link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    before = rows(page)
    leave(page)
    page.goto(link)
    wait_until_compared(page)
    assert rows(page) == before and page.get_by_role("button", name="recall").get_attribute("aria-pressed") == "true"
    assert page.get_by_label("Groups by").input_value() == "nih"


def test_a_link_with_words_that_mean_nothing_says_so(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=NIH, models="nobody")
    wording(text_with(page.locator(".evaluate-note")))
    assert len(rows(page)) == 5


def test_places_and_winners_are_told_below(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=NIH)
    wait_until_complete(page)
    page.locator(".beneath-places > summary").click()
    shares = page.locator(".places-table tbody tr").first.locator(".place").all_inner_texts()
    assert len(shares) == 5
    caption = page.locator(".places-table caption").inner_text()
    assert "mAP" in caption
    wording(caption)
    page.locator(".beneath-winners > summary").click()
    expect(page.locator(".winners-table tbody tr")).to_have_count(15)
    page.get_by_role("button", name="AUROC").click()
    wait_until_complete(page)
    assert page.locator(".beneath-winners").get_attribute("open") is not None  # what was open stays open


def test_the_table_is_saved(new_board: NewVisitor, tmp_path: Path) -> None:
    page = new_board(cohort=NIH)
    wait_until_complete(page)
    for button, ending in (("CSV", "csv"), ("Markdown", "md"), ("LaTeX", "tex")):
        with page.expect_download() as saved:
            page.get_by_role("button", name=button).click()
        assert saved.value.suggested_filename == f"tailscope_evaluate_nih-oof.{ending}"
        saved.value.save_as(tmp_path / ending)
    lines = list(csv.DictReader(io.StringIO((tmp_path / "csv").read_text(encoding="utf-8"))))
    assert {line["model"] for line in lines} == set(rows(page))


def test_the_table_is_also_a_chart_that_is_saved(new_board: NewVisitor, tmp_path: Path) -> None:
    page = new_board(cohort=NIH)
    wait_until_complete(page)
    page.locator(".beneath-chart > summary").click()
    names = page.locator(".beneath-chart .ytick text")
    expect(names).to_have_text(list(rows(page)))
    with page.expect_download() as saved:
        page.locator(".beneath-chart").get_by_role("button", name="SVG").click()
    assert saved.value.suggested_filename == "tailscope_leaderboard_map.svg"
    saved.value.save_as(tmp_path / "chart.svg")
    text = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert "Not for medical use" in text and all(name in text for name in rows(page))


@pytest.mark.parametrize("widths", [[1440], [1024, 390]], ids=str)  # models are folded where the page is loaded narrow
def test_nothing_is_wider_than_the_window(new_board: NewVisitor, widths: list[int]) -> None:
    page = new_board(width=widths[0], cohort=CLINIC)
    wait_until_complete(page)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("words", [{"cohort": CLINIC}, {"cohort": OWN}, {"cohort": NIH, "models": "x", "metric": "f1"}])
def test_axe_finds_nothing(new_board: NewVisitor, words: dict[str, str]) -> None:
    page = new_board(**words)
    wait_until_complete(page)
    for fold in page.locator(".beneath > summary").all():
        fold.click()
    # What is around the tab is the same for all.
    assert_accessible_at(page, 1440, 1024, 390, within=None if words == {"cohort": CLINIC} else ".evaluate")


def test_axe_finds_nothing_where_nothing_is_compared(new_board: NewVisitor) -> None:
    page = new_board(cohort=CENTERS, center=center_id("three-centers", UNLABELLED))
    assert_accessible_at(page, 1440, 390, within=".evaluate")


def test_what_is_said_of_a_link_stays_when_the_intervals_come(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=NIH, outcome="luck")
    note = page.locator(".evaluate-note")
    said = text_with(note, "outcome")
    wording(said)
    wait_until_complete(page)
    assert note.inner_text() == said


@pytest.mark.journey
def test_filters_are_added_lead_to_explore_and_come_back(new_board: NewVisitor, wording: Wording) -> None:
    page = new_board(cohort=CLINIC)
    page.get_by_role("combobox", name="Add a filter").select_option(label="Outcome")
    assert page.evaluate("document.activeElement.dataset.key") == "choose outcome"
    page.get_by_role("combobox", name="Outcome").select_option(label="miss")
    wording(text_with(page.locator(".evaluate-picked"), "first", SLOW))
    wait_until_compared(page)
    page.get_by_role("combobox", name="Add a filter").select_option(label="Finding")
    page.get_by_role("combobox", name="Finding", exact=True).select_option(label="Mass")
    expect(page.locator(".evaluate-title")).to_contain_text("Mass by first", timeout=SLOW)
    wait_until_compared(page)
    films = page.locator(".evaluate-title").inner_text().split(": ")[-1].split(" film")[0]
    page.get_by_role("combobox", name="Scores of").select_option(label="second")
    expect(page.locator(".evaluate-title")).to_contain_text("by second", timeout=SLOW)
    page.go_back()
    wait_until_compared(page)
    page.get_by_role("link", name="Open in Explore").click()
    sentence = page.locator(".explore .sentence")
    expect(sentence).to_contain_text("Mass by first", timeout=SLOW)
    expect(sentence).to_contain_text(f"{films} film")
    page.get_by_role("link", name="Evaluate", exact=True).click()
    expect(page.locator(".evaluate-title")).to_contain_text("Mass by first", timeout=SLOW)
    expect(page.locator(".evaluate-title")).to_contain_text(f"clinic: {films} film")
    wait_until_complete(page)
    assert_accessible_at(page, 1440, within=".evaluate")
