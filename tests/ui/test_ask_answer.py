"""What an answer says: the verdict, what is to be doubted, every figure with where it is from, the map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.ask_harness import answer, asked, film, hang, line, open_ask
from tests.ui.viewer_harness import pixels_of, settle, viewer_page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def blank(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        yield page


def shows(page: Page, **changes: Any) -> Page:  # noqa: ANN401 - any value that JSON has
    """A page on which the answer, with its changes, was just given."""
    open_ask(page, {"*": answer(**changes)})
    asked(page)
    settle(page)
    return page


def test_verdict_score_and_why_come_first(blank: Page) -> None:
    page = shows(blank)
    assert page.locator(".answer-text").inner_text() == "fluid around the lung"
    assert page.locator(".answer-verdict").inner_text().split() == ["\u25cf", "present", "score", "0.71"]
    expect(page.locator(".answer-why")).to_contain_text("20 % of the 1,500 validation films")
    assert page.locator(".answer-asked, .answer-caution").count() == 0


def test_every_figure_is_there_with_where_it_is_from(blank: Page) -> None:
    page = shows(blank)
    assert "Pleural Effusion 0.82" in line(page, "Matched finding") and "Hydropneumothorax 0.61" in line(
        page, "Matched finding"
    )
    assert "In this model's training captions." in line(page, "Matched finding")
    assert "0.71, at or above the threshold 0.55" in line(page, "Score")
    assert "Margin +0.0440, threshold +0.0100: Youden's J of this text" in line(page, "Score")
    assert "0.58 \u2013 0.66 \u2013 0.74\nLowest, median and highest prompt. All prompts agree." in line(page, "Spread")
    assert "above 83 % of 1,650 validation films" in line(page, "Rank")
    assert "AUROC 0.71 [0.66\u20130.76], AP 0.22 [0.18\u20130.27]" in line(page, "This text")
    assert "n+ 150 of 1,650 labeled Pleural Effusion" in line(page, "This text")
    assert "Chance: 0.50 and 0.09" in line(page, "This text")
    assert "Pleural Effusion 0.44, threshold 0.39" in line(page, "Classifier")
    assert "ranks the film above 71 % of 1,650" in line(page, "Classifier")
    assert "12 percentile points higher" in line(page, "Classifier")
    assert "Same image tower: agreement confirms nothing" in line(page, "Classifier")
    names = page.locator(".answer-lines dt").all_inner_texts()
    assert names == ["Matched finding", "Score", "Classifier", "This text", "Rank", "Spread"]
    assert page.locator(".doubtful").count() == 0


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"percentile": None}, "Rank", "not known"),
        ({"measured": None}, "This text", "not measured\nNo validation films have labels of Pleural Effusion."),
        ({"measured": None, "taken_for": None}, "This text", "matches no finding"),
        ({"measured": answer()["measured"] | {"auroc": None, "positives": 0}}, "This text", "no positives"),
        ({"taken_for": None, "in_captions": None}, "Near to", "No known finding clearly matches"),
        ({"in_captions": False}, "Matched finding", "Not in this model's training captions"),
        ({"in_captions": None}, "Matched finding", "is not known"),
        ({"beside": None}, "Classifier", "does not cover this"),
        ({"beside": answer()["beside"] | {"threshold": None}}, "Classifier", "no threshold known"),
        ({"beside": answer()["beside"] | {"difference": -0.3}}, "Classifier", "ranks it alike"),
        ({"beside": answer()["beside"] | {"difference": -7.6}}, "Classifier", "8 percentile points lower"),
        ({"score": 0.5, "threshold_score": 0.55}, "Score", "0.50, below the threshold 0.55"),
        ({"spread": answer()["spread"] | {"unstable": True, "rule": "Two of 3 disagree."}}, "Spread", "unstable"),
    ],
)
def test_what_is_not_known_or_doubtful_is_said(blank: Page, changes: dict[str, Any], name: str, words: str) -> None:
    assert words in line(shows(blank, **changes), name)


def test_what_is_wrong_with_the_question_stands_above_the_figures(blank: Page) -> None:
    cautions = [
        {"kind": "negated", "words": "The question is negated."},
        {"kind": "not English", "words": "Not English."},
    ]
    page = shows(blank, question="no effusion", scored="effusion", verdict="cannot judge", warnings=cautions)
    assert page.locator(".answer-caution").all_inner_texts() == ["The question is negated.", "Not English."]
    expect(page.locator(".answer-text")).to_have_text("effusionasked: no effusion")
    assert page.locator(".answer-verdict").inner_text().split()[:3] == ["\u25cc", "cannot", "judge"]


# The bar


def test_the_bar_has_score_threshold_and_a_tick_for_every_prompt(blank: Page) -> None:
    page = shows(blank)
    left = page.locator(".spread-track").evaluate(
        "track => Object.fromEntries(['cut', 'median', 'range'].map((name) =>"
        "[name, track.querySelector('.spread-' + name).style.left]))"
    )
    assert {name: float(share.rstrip("%")) for name, share in left.items()} == pytest.approx(
        {"cut": 55, "median": 66, "range": 58}
    )
    assert page.locator(".spread-fill").evaluate("fill => fill.style.width") == "71%"
    assert page.locator(".spread-tick").count() == 3
    assert page.locator(".spread-tick.paraphrase").count() == 1


def test_a_prompt_is_read_by_pointing_at_its_tick(blank: Page) -> None:
    page = shows(blank)
    box = page.locator(".spread-track").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 0.66 * box["width"], box["y"] + 20)
    expect(page.locator(".spread-words")).to_have_text(
        "0.66  there is fluid around the lung | no there is fluid around the lung"
    )
    page.mouse.move(box["x"], box["y"] - 200)
    expect(page.locator(".spread-words")).to_contain_text("3 prompts")


def test_prompts_are_read_by_keyboard_and_by_screen_readers(blank: Page) -> None:
    page = shows(blank)
    slider = page.get_by_role("slider", name="Prompts by their score")
    slider.focus()
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "0.58  effusion | no effusion (paraphrase)")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "2")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "3")
    expect(page.locator(".spread-words")).to_contain_text("0.74")
    page.keyboard.press("Tab")
    expect(page.locator(".spread-words")).to_contain_text("3 prompts")


def test_every_prompt_is_in_the_fold(blank: Page) -> None:
    page = shows(blank)
    page.locator(".answer-fold-head").first.click()
    assert page.locator(".prompt-score").all_inner_texts() == ["0.74", "0.66", "0.58"]
    expect(page.locator(".prompt-words").last).to_contain_text("no effusion (paraphrase)")


# The map


def test_the_map_lies_over_the_film_in_margins(blank: Page) -> None:
    page = shows(blank)
    expect(page.locator("#ask-heat-canvas")).to_be_visible()
    assert page.locator(".legend").inner_text().split("\n")[0].startswith("fluid around the lung")
    expect(page.locator(".legend-score")).to_have_text("0.71")
    expect(page.locator(".legend-maximum")).to_have_text("0.050 margin")
    expect(page.locator(".legend-cells")).to_have_text("map of 4 x 4 cells over 160 px")
    alpha = pixels_of(page, "ask-heat-canvas")[..., 3]
    height, width = alpha.shape
    down, across = divmod(int(alpha.argmax()), width)
    assert (down / height, across / width) == pytest.approx((0.625, 0.33), abs=0.15)


def test_a_model_without_maps_answers_and_says_why_there_is_none(blank: Page) -> None:
    page = shows(blank, heat=None, no_heat="tiny has no feature map. Choose another model.")
    expect(page.locator(".answer-verdict")).to_contain_text("present")
    expect(page.locator(".evidence-text")).to_have_text("No map. tiny has no feature map. Choose another model.")
    expect(page.locator(".evidence-show")).to_be_hidden()
    expect(page.locator("#ask-heat-canvas")).to_be_hidden()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"score": 0.5, "verdict": "absent"}, "No evidence to localize: the text is below its threshold."),
        ({"verdict": "cannot judge"}, "No map is shown unasked: this text cannot be judged."),
        ({"taken_for": {"finding": "Normal", "similarity": 1.0}}, "Normal is the absence of findings"),
    ],
)
def test_without_evidence_the_map_waits_to_be_asked_for(blank: Page, changes: dict[str, Any], why: str) -> None:
    page = shows(blank, **changes)
    expect(page.locator("#ask-heat-canvas")).to_be_hidden()
    expect(page.locator(".evidence-text")).to_contain_text(why)
    page.get_by_role("button", name="Show the map anyway").click()
    expect(page.locator("#ask-heat-canvas")).to_be_visible()


def test_film_first_hides_answers_and_map(blank: Page) -> None:
    page = shows(blank)
    page.locator(".stage").focus()
    page.keyboard.press("h")
    for gone in (".answer", ".asked", "#ask-heat-canvas", ".legend"):
        expect(page.locator(gone)).to_be_hidden()
    page.get_by_role("button", name="Reveal").click()
    expect(page.locator(".answer")).to_be_visible()
    expect(page.locator("#ask-heat-canvas")).to_be_visible()


def test_an_opinion_hidden_in_read_is_not_given_away(blank: Page) -> None:
    page = shows(blank)
    page.evaluate("() => openFilms.tell({ opinionHidden: true })")
    assert line(page, "Classifier").startswith("hidden")
    assert "0.44" not in page.locator(".answer").inner_text()


def test_another_film_starts_without_answers(blank: Page) -> None:
    page = shows(blank)
    hang(page, film("other.png", seed=1))
    expect(page.locator(".answer")).to_be_hidden()
    expect(page.locator(".asked")).to_be_hidden()
    expect(page.locator("#ask-heat-canvas")).to_be_hidden()
