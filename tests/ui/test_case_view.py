"""The case view by itself: what it shows of answers made by hand, and where the boxes are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.answers import refusal_answer, verdict_answer
from tests.support.wording import Wording
from tests.ui.case_harness import (
    BOX,
    ROWS,
    answers,
    facts,
    maps,
    near,
    open_case,
    open_view,
    text,
    wait_for_film,
)
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import pixels_of, settle, viewer_page

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900, stays=True) as page:
        yield page


def test_the_pair_of_the_slice_stands_first_with_its_outcome_in_color_shape_and_word(
    page: Page, wording: Wording
) -> None:
    open_case(page)
    assert text(page, "case-outcome").split() == ["▼", "miss", "Mass"]
    figures, instead = text(page, "case-figures"), text(page, "case-instead")
    assert all(figure in figures for figure in ("score 0.12", "0.38", "threshold 0.50")) and "Nodule" in instead
    wording(figures)
    wording(instead)
    nodule = page.locator("button.case-row[data-finding=Nodule] .case-row-name")
    assert nodule.inner_text().split("\n") == ["Nodule", "labeled Granuloma"]  # a related finding, and no frequency
    assert nodule.get_attribute("title") == "frequency: rare"
    expect(page.locator(".case-outcome .outcome-badge")).to_have_css("color", "rgb(230, 159, 0)")
    first = page.locator(".case-row").first
    expect(first).to_have_attribute("data-finding", "Mass")
    expect(first).to_have_attribute("aria-pressed", "true")
    heads = page.locator(".case-fold-title").all_inner_texts()
    assert heads == [
        "In this slice",
        "False alarm (1)",
        "Hit (1)",
        "No outcome (1)",
        "Correct rejection (1)",
        "1 other model",
    ]


def test_scores_of_another_model_come_when_they_are_looked_at(page: Page) -> None:
    open_case(page)
    fold = page.locator(".case-fold").last
    expect(fold.locator(".case-row")).to_have_count(0)
    fold.locator("summary").click()
    fold = page.locator(".case-other-models .case-fold")
    fold.locator("summary").click()
    rows = fold.locator("p.case-row")
    expect(rows.first).to_be_visible()
    count = rows.count()
    fold.locator("summary").click()
    fold.locator("summary").click()
    expect(rows).to_have_count(count)


def test_a_bar_has_its_threshold_where_the_score_scale_has_it(page: Page) -> None:
    open_case(page)
    bar = page.locator("button.case-row[data-finding=Nodule] .bar").bounding_box()
    mark = page.locator("button.case-row[data-finding=Nodule] .bar-mark").bounding_box()
    fill = page.locator("button.case-row[data-finding=Nodule] .bar-fill").bounding_box()
    assert bar
    assert mark
    assert fill
    assert mark["x"] + mark["width"] / 2 == pytest.approx(bar["x"] + 0.5 * bar["width"], abs=0.6)
    assert fill["width"] == pytest.approx(0.81 * bar["width"], abs=0.6)
    expect(page.locator("button.case-row[data-finding=Hernia] .bar-mark")).to_have_count(0)


def test_labels_stand_with_their_source_and_boxes_with_theirs(page: Page) -> None:
    open_case(page)
    said = page.locator(".case-label").all_inner_texts()
    assert [line.split("\n") for line in said] == [
        ["present", "Mass, Pleural Thickening", "mined from reports"],
        ["absent", "Fibrosis, Nodule", "mined from reports"],
        ["1 box", "Mass", "drawn by a radiologist"],
    ]


def test_a_film_without_any_of_the_findings_says_so(page: Page) -> None:
    absent = {"label": "absent", "source": "mined from reports", "counts": True, "findings": ["Mass", "Nodule"]}
    open_case(page, answers(case_facts={"*": facts(labels=[absent], boxes=[])}))
    assert page.locator(".case-label").inner_text().split("\n") == [
        "none of these",
        "Mass, Nodule",
        "mined from reports",
    ]


def test_the_box_lies_where_its_fractions_of_the_film_say_at_any_zoom(page: Page) -> None:
    open_case(page)
    wait_for_film(page)
    for press in (None, "1", "+", "Shift+ArrowLeft"):
        if press:
            page.keyboard.press(press)
            settle(page)
        canvas = page.locator("#case-film-canvas").bounding_box()
        box = page.locator(".box-line").bounding_box()
        assert canvas
        assert box
        half = 0.75  # of the line, which is on both sides of the edge
        assert box["x"] + half == pytest.approx(canvas["x"] + BOX["x"] * canvas["width"], abs=0.1)
        assert box["y"] + half == pytest.approx(canvas["y"] + BOX["y"] * canvas["height"], abs=0.1)
        assert box["width"] - 2 * half == pytest.approx(BOX["width"] * canvas["width"], abs=0.1)
        assert box["height"] - 2 * half == pytest.approx(BOX["height"] * canvas["height"], abs=0.1)


def test_boxes_are_named_and_switched_with_a_key(page: Page) -> None:
    open_case(page)
    wait_for_film(page)
    expect(page.locator(".box-name")).to_have_text("Mass")
    page.keyboard.press("b")
    expect(page.locator(".boxes")).to_be_hidden()
    expect(page.locator(".case [data-command=boxes]")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("b")
    expect(page.locator(".boxes")).to_be_visible()


def test_the_box_of_another_finding_than_the_chosen_one_is_dashed(page: Page) -> None:
    open_case(page)
    wait_for_film(page)
    assert page.locator(".box-line").get_attribute("class") == "box-line"
    page.keyboard.press("ArrowDown")
    assert page.locator(".box-line").get_attribute("class") == "box-line other"


def test_without_boxes_the_button_is_off(page: Page) -> None:
    open_case(page, answers(case_facts={"*": facts(boxes=[])}))
    wait_for_film(page)
    expect(page.locator(".case [data-command=boxes]")).to_be_disabled()


def test_the_map_is_drawn_and_said_to_be_in_sample_with_its_own_score(page: Page, wording: Wording) -> None:
    open_case(page)
    page.locator(".case .legend").wait_for()
    heat = pixels_of(page, "case-heat-canvas")
    across, down = (2 + 0.5) / 4 * 160 - 20, (1 + 0.5) / 4 * 160  # the middle of the hot cell on the film of 120 x 160
    hottest = np.unravel_index(heat[..., 3].argmax(), heat.shape[:2])
    assert hottest[0] / heat.shape[0] == pytest.approx(down / 160, abs=0.02)
    assert hottest[1] / heat.shape[1] == pytest.approx(across / 120, abs=0.02)
    notes = text(page, "case-notes")
    assert "in-sample" in notes and "0.91" in notes
    wording(notes)


def test_below_its_threshold_there_is_nothing_to_localize_unless_asked_for(page: Page) -> None:
    open_case(page)
    page.locator(".case .legend").wait_for()
    page.locator("button.case-row[data-finding=Nodule]").click()
    expect(page.locator("#case-heat-canvas")).to_be_hidden()
    expect(page.locator(".case .evidence-text")).to_contain_text("is not flagged")
    page.locator(".case .evidence-show").click()
    expect(page.locator("#case-heat-canvas")).to_be_visible()
    assert "0.11" in text(page, "case-notes")


def test_a_film_that_the_gate_refuses_has_its_reason_in_place_of_the_map(page: Page) -> None:
    reason = "This is a lateral film."
    open_case(page, answers(case_maps={"*": maps() | {"verdict": verdict_answer(reason)}}))
    expect(page.locator(".case .evidence-text")).to_have_text(reason)
    expect(page.locator("#case-heat-canvas")).to_be_hidden()


def test_why_there_are_no_maps_is_said(page: Page) -> None:
    open_case(page, answers(case_maps={"*": {"stage": "no maps", "title": "No maps", "detail": "Other weights."}}))
    expect(page.locator(".case-notes")).to_have_text("No maps. Other weights.")
    expect(page.locator("#case-heat-canvas")).to_be_hidden()


def test_other_films_of_the_study_stand_before_the_nearest(page: Page) -> None:
    lateral = near("two")["cases"][0] | {"view": "lateral"}
    open_case(page, answers(case_near={"*": near("near-1", "near-2") | {"same_study": [lateral]}}))
    expect(page.locator(".case-near h3")).to_have_text(["Same study", "Nearest cases by features"])
    expect(page.locator(".case-nearest").nth(1).locator("li")).to_have_count(2)
    page.locator(".case-nearest").first.get_by_role("button", name="lateral").click()
    expect(page.locator(".case-title")).to_have_text("Case 2 of 3")


@pytest.mark.parametrize("stage", ["case_film", "case_facts", "case_near", "case_place"])
def test_a_refusal_is_told_where_the_answer_would_be(page: Page, stage: str) -> None:
    places = {
        "case_film": ".no-film-title",
        "case_facts": ".case-outcome",
        "case_near": ".case-near",
        "case_place": ".case-title",
    }
    open_view(page, answers(**{stage: {"*": refusal_answer("It took too long", "Narrow it.")}}))
    page.locator("#thumb").click()
    expect(page.locator(places[stage])).to_contain_text("It took too long")


def test_a_server_that_is_gone_is_told_of(page: Page) -> None:
    open_view(page, answers(case_facts={}))  # Gradio answers undefined where there is no server
    page.locator("#thumb").click()
    expect(page.locator(".case-outcome")).to_have_text("Tailscope is not responding")


def test_a_film_without_labels_and_without_scores_says_so(page: Page, wording: Wording) -> None:
    bare = facts(finding=None, rows=[], labels=[], boxes=[], other_models=0, in_slice=False, file="", sql="")
    open_view(page, answers(case_facts={"*": bare | {"instead": {"missed": [], "called": [], "open": []}}}))
    page.locator("#thumb").click()
    wording(text_with(page.locator(".case-outcome")))
    wording(text_with(page.locator(".case-labels")))
    expect(page.locator(".case-sql")).to_be_hidden()
    page.keyboard.press("ArrowDown")  # there is nothing to step to


def test_markup_in_a_name_is_text(page: Page) -> None:
    evil = "<img src=x onerror=alert(1)>"
    rows: list[dict[str, Any]] = [ROWS[0] | {"finding": evil}]
    said = [{"label": "present", "source": evil, "findings": [evil]}]
    open_case(page, answers(case_facts={"*": facts(finding=evil, rows=rows, labels=said, file=evil, notes=[evil])}))
    assert evil in text(page, "case-outcome")
    assert page.locator("dialog.case img[src=x]").count() == 0
