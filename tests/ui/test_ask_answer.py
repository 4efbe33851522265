"""What an answer says: the verdict, what is to be doubted, every figure with where it is from, the prevalence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.asking.verdict import at_prevalence
from explorer.ui.ask.payload import prevalence_verdict_payload
from tests.support.answers import answer_of, refusal_answer
from tests.support.wording import Wording
from tests.ui.ask_harness import answer, asked, line, notes, open_again, shows
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import viewer_page

pytestmark = pytest.mark.browser
IN_MARGINS = answer()["spread"] | {"unit": "margin", "ends": [-100.0, 100.0]}


@pytest.fixture(scope="module")
def blank(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900) as page:
        yield page


def test_verdict_score_and_why_come_first(blank: Page) -> None:
    page = shows(blank)
    assert page.locator(".answer-text").inner_text() == "fluid around the lung"
    words = "\u25d0 possible: 26 in 100 such films have it [23\u201329]"
    assert " ".join(page.locator(".answer-verdict").inner_text().split()) == words
    expect(page.locator(".answer-why")).to_contain_text("20 % [18-22] of 1,500 films")
    assert page.locator(".answer-asked, .answer-caution").count() == 0


def test_below_verdict_and_prevalence_everything_is_folded(blank: Page) -> None:
    open_again(blank, {"*": answer()})
    asked(blank)
    assert blank.locator(".answer > *:visible").evaluate_all("all => all.map((part) => part.classList[0])") == [
        *("answer-text", "answer-taken", "answer-verdict", "prevalence"),
        *("answer-fold", "answer-fold", "answer-fold"),
    ]
    assert blank.locator(".answer-fold-head").all_inner_texts() == ["Details", "All wordings", "How this is calculated"]
    assert blank.locator(".answer-fold[open]").count() == 0
    for folded in (".answer-why", ".spread", ".answer-lines"):
        expect(blank.locator(folded)).to_be_hidden()
    expect(blank.locator(".answer-taken")).to_have_text("Matched finding: Pleural Effusion")


def test_why_nothing_can_be_judged_is_not_folded(blank: Page) -> None:
    open_again(blank, {"*": answer(verdict="cannot judge", said="", predicted=None, why="Never tested.")})
    asked(blank)
    expect(blank.locator(".answer-why")).to_be_visible()


def test_every_figure_is_there_with_where_it_is_from(blank: Page, wording: Wording) -> None:
    page = shows(blank)
    assert "Pleural Effusion 0.82" in line(page, "Matched finding") and "Hydropneumothorax 0.61" in line(
        page, "Matched finding"
    )
    assert "0.71" in line(page, "Score") and "threshold 0.55" in line(page, "Score")
    assert "Margin +0.0440, threshold +0.0100" in line(page, "Score")
    assert "70 % \u2013 88 %" in line(page, "Spread") and "0 of 3 prompts" in line(page, "Spread")
    assert all(figure in line(page, "Rank") for figure in ("83 % of 1,650", "62 %"))
    assert "AUROC 0.71 [0.66\u20130.76], AP 0.22 [0.18\u20130.27]" in line(page, "This text")
    assert "n+ 150 of 1,650" in line(page, "This text")
    assert "Chance: 0.50 and 0.09" in line(page, "This text")
    assert "Pleural Effusion 0.44, threshold 0.39" in line(page, "Classifier")
    assert "71 % of 1,650" in line(page, "Classifier")
    assert "12 percentile points higher" in line(page, "Classifier")
    names = page.locator(".answer-lines dt").all_inner_texts()
    assert names == ["Matched finding", "Score", "Classifier", "This text", "Rank", "Spread"]
    for name in names:
        wording(line(page, name))
    assert page.locator(".doubtful").count() == 0


@pytest.mark.parametrize(
    ("changes", "name", "words"),
    [
        ({"percentile": None, "spread": IN_MARGINS}, "Rank", "not known"),
        ({"measured": None}, "This text", "not measured\nNo validation film is labeled for Pleural Effusion."),
        ({"measured": None, "taken_for": None}, "This text", "matches no finding"),
        ({"measured": answer()["measured"] | {"auroc": None, "positives": 0}}, "This text", "no positives"),
        ({"taken_for": None, "in_captions": None}, "Near to", "No known finding clearly matches"),
        ({"in_captions": False}, "Matched finding", "Not in this model's training captions"),
        ({"in_captions": None}, "Matched finding", "is not known"),
        ({"beside": None}, "Classifier", "does not cover this"),
        ({"beside": answer()["beside"] | {"threshold": None}}, "Classifier", "no threshold known"),
        ({"beside": answer()["beside"] | {"difference": -0.3}}, "Classifier", "ranks it alike"),
        ({"beside": answer()["beside"] | {"difference": -7.6}}, "Classifier", "8 percentile points lower"),
        (
            {"spread": answer()["spread"] | {"answer": 62.4}, "score": 0.549},
            "Score",
            "0.549, below the threshold 0.550",
        ),
        ({"spread": answer()["spread"] | {"unstable": True, "rule": "Two of 3 disagree."}}, "Spread", "unstable"),
    ],
)
def test_what_is_not_known_or_doubtful_is_said(blank: Page, changes: dict[str, Any], name: str, words: str) -> None:
    assert words in line(shows(blank, **changes), name)


def test_what_is_wrong_with_the_question_stands_above_the_figures(blank: Page) -> None:
    cautions = [
        {"kind": "negated", "words": "The question is negated.", "instead": None},
        {"kind": "not English", "words": "Not English.", "instead": None},
    ]
    page = shows(blank, question="no effusion", scored="effusion", verdict="cannot judge", said="", warnings=cautions)
    assert page.locator(".answer-caution").all_inner_texts() == ["The question is negated.", "Not English."]
    expect(page.locator(".answer-text")).to_have_text("effusionasked: no effusion")
    assert page.locator(".answer-verdict").inner_text().split()[:3] == ["\u25cc", "cannot", "judge"]


def test_what_may_be_meant_is_asked_with_a_click(blank: Page) -> None:
    german = {"kind": "not English", "words": '"Erguss" is German.', "instead": "pleural effusion"}
    page = shows(blank, verdict="cannot judge", said="", predicted=None, why=german["words"], warnings=[german])
    assert page.locator(".answer-caution").count() == 0  # it is the reason already
    page.get_by_role("button", name="Ask for: pleural effusion").click()
    expect(page.locator(".question-text")).to_have_value("pleural effusion")
    assert [order["text"] for (order,) in notes(page, "ask")] == ["fluid around the lung", "pleural effusion"]


# How common the finding is


def test_a_typed_prevalence_changes_what_an_answer_is_worth(blank: Page, wording: Wording) -> None:
    page = shows(blank)
    field = page.get_by_label("How many of your films have it?")
    expect(field).to_have_value("9.09")
    wording(text_with(page.locator(".prevalence-note")))
    judged = at_prevalence(answer_of("fluid around the lung"), 0.7)
    page.evaluate("judged => { window.judged = judged; }", dict(prevalence_verdict_payload(judged)))
    field.fill("70")
    field.press("Enter")
    expect(page.locator(".answer-verdict")).to_contain_text("likely: 89 in 100")
    expect(page.locator(".answer-verdict")).to_contain_text("[88\u201390]")
    expect(page.locator(".answer-why")).to_contain_text("Prevalence 70 %, as you typed.")
    expect(page.locator(".asked-verdict")).to_have_text("likely")
    expect(field).to_be_focused()
    expect(field).to_have_value("70")
    expect(page.locator(".prevalence-note")).to_have_text("As you typed.")
    sent = {"token": "film.png", "text": "fluid around the lung", "templates": None}
    assert notes(page, "ask_at") == [[sent | {"prevalence": "70"}]]
    page.get_by_role("button", name="As among the labeled films").click()
    assert notes(page, "ask_at")[-1] == [sent | {"prevalence": ""}]


def test_a_wrong_prevalence_is_said_and_stays_to_be_corrected(blank: Page) -> None:
    page = shows(blank)
    title, detail = "120 % is not a prevalence to ask at", "Type a percentage below 100."
    refusal = refusal_answer(title, detail, "wrong")
    page.evaluate("refusal => { window.judged = refusal; }", refusal)
    field = page.get_by_label("How many of your films have it?")
    field.fill("120")
    page.get_by_role("button", name="Update").click()
    expect(page.locator(".prevalence-note")).to_have_text(f"{title}. {detail}")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_value("120")
    expect(page.locator(".answer-verdict")).to_contain_text("possible: 26 in 100")


def test_where_nothing_is_known_of_such_films_no_prevalence_is_asked_for(blank: Page) -> None:
    page = shows(blank, verdict="cannot judge", said="", predicted=None)
    assert page.locator(".prevalence").count() == 0
