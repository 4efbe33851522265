"""What becomes of questions: asked one after the other, kept with their film, shown again, saved; and the films."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from explorer.asking.suggestions import EXAMPLE_QUESTIONS
from tests.support.answers import refusal_answer, verdict_answer
from tests.support.wording import Wording
from tests.ui.ask_harness import FIELD, OWN_TEMPLATES, answer, ask, asked, film, hang, notes, open_ask
from tests.ui.text_shown import text_with
from tests.ui.viewer_harness import pixels_of, viewer_page

pytestmark = pytest.mark.browser
ANSWERS = {
    "mass": answer("mass", score=0.61, verdict="flagged"),
    "big heart": answer("big heart", score=0.2, verdict="not flagged", spread=answer()["spread"] | {"answer": 20.0}),
    "*": answer(),
}


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with viewer_page(chromium, 1440, 900, stays=True) as page:
        open_ask(page, ANSWERS)
        yield page


def history(page: Page) -> list[str]:
    return page.locator(".asked-text").all_inner_texts()


def sent(page: Page) -> list[str]:
    return [order["text"] for (order,) in notes(page, "ask")]


def test_questions_are_kept_the_latest_first_and_shown_again_with_their_map(page: Page) -> None:
    asked(page, "mass")
    first = pixels_of(page, "ask-heat-canvas")
    ask(page, "big heart")
    expect(page.locator(".answer-text")).to_have_text("big heart")
    expect(page.locator("#ask-heat-canvas")).to_be_hidden()
    assert history(page) == ["big heart", "mass"]
    expect(page.locator(".asked-title")).to_have_text("Questions about this film (2)")
    page.locator(".asked-question", has_text="mass").click()
    expect(page.locator(".answer-text")).to_have_text("mass")
    expect(page.locator(".asked-question[aria-pressed=true]")).to_contain_text("mass")
    expect(page.locator(FIELD)).to_have_value("mass")
    assert np.array_equal(pixels_of(page, "ask-heat-canvas"), first)
    assert sent(page) == ["mass", "big heart"]


def test_the_same_question_is_not_asked_twice(page: Page) -> None:
    asked(page, "mass")
    ask(page, "big heart")
    ask(page, "mass")
    expect(page.locator(".answer-text")).to_have_text("mass")
    assert sent(page) == ["mass", "big heart"]


def test_arrow_keys_go_through_the_questions(page: Page) -> None:
    asked(page, "mass")
    ask(page, "big heart")
    expect(page.locator(".answer-text")).to_have_text("big heart")
    page.locator(".stage").focus()
    for key, shown in (("ArrowDown", "mass"), ("ArrowDown", "mass"), ("ArrowUp", "big heart")):
        page.keyboard.press(key)
        expect(page.locator(".answer-text")).to_have_text(shown)


def test_what_is_asked_while_another_is_answered_comes_next(page: Page) -> None:
    page.evaluate("() => { window.held = true; window.progress = { loading: true, ahead: null }; }")
    for text in ("mass", "nodule", "big heart"):
        ask(page, text)
    expect(page.locator(".question-state")).to_contain_text("Loading the text model")
    page.evaluate("() => { window.progress = { loading: false, ahead: 2 }; }")
    expect(page.locator(".question-state")).to_contain_text("2 questions before this one")
    page.evaluate("() => { const go = window.held; window.held = null; go(); }")
    expect(page.locator(".answer-text")).to_have_text("big heart")
    assert sent(page) == ["mass", "big heart"]  # the last one typed
    expect(page.locator(".question-state")).to_be_empty()


@pytest.mark.parametrize("refusal", ["QueueFull", None], ids=["a refusal", "the film is gone"])
def test_a_refusal_is_said_and_leaves_the_answers(chromium: Browser, refusal: str | None) -> None:
    said = refusal and refusal_answer("Too many are waiting", "Ask again in a minute.", "unscored")
    with viewer_page(chromium, stays=True) as page:
        open_ask(page, ANSWERS | {"again": said})
        asked(page, "mass")
        ask(page, "again")
        words = "Too many are waiting. Ask again in a minute." if refusal else "The film is no longer here."
        expect(page.locator(".question-state")).to_contain_text(words)
        expect(page.locator(".answer-text")).to_have_text("mass")
        ask(page, "big heart")
        expect(page.locator(".question-state")).to_be_empty()


def test_the_table_of_questions_can_be_saved(page: Page, tmp_path: Path) -> None:
    asked(page, "mass")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save CSV").click()
    assert re.fullmatch(r"tailscope_ask_\d{8}-\d{4}_abc0\.csv", download.value.suggested_filename)
    assert notes(page, "export_asked") == [["film.png"]]


def test_questions_to_begin_with_stand_under_the_box_of_a_film_that_was_not_asked_about(page: Page) -> None:
    examples = page.locator(".example")
    assert examples.all_inner_texts() == list(EXAMPLE_QUESTIONS)
    examples.nth(1).click()
    expect(page.locator(FIELD)).to_have_value(EXAMPLE_QUESTIONS[1])
    expect(page.locator(".answer-verdict")).to_be_visible()
    assert sent(page) == [EXAMPLE_QUESTIONS[1]]
    expect(page.locator(".examples")).to_be_hidden()
    hang(page, film("other.png", seed=5))
    expect(page.locator(".examples")).to_be_visible()


# Templates


def test_templates_are_the_models_until_they_are_changed(page: Page, wording: Wording) -> None:
    page.locator(".templates-head").click()
    text = page.get_by_role("textbox", name="Templates")
    expect(text).to_have_value(OWN_TEMPLATES)
    expect(page.locator(".templates-state")).to_have_text("3 lines, the model's")
    asked(page, "mass")
    text.fill("{} | no {}\nsigns of {} | no signs of {}")
    wording(text_with(page.locator(".templates-state"), "2 lines"))
    ask(page, "mass")
    page.wait_for_function("() => notes.filter((note) => note[0] === 'ask').length === 2")
    assert [order["templates"] for (order,) in notes(page, "ask")] == [None, "{} | no {}\nsigns of {} | no signs of {}"]
    assert history(page) == ["massown templates", "mass"]
    page.get_by_role("button", name="Restore the model's").click()
    expect(text).to_have_value(OWN_TEMPLATES)
    ask(page, "mass")  # as at first: nothing new to ask
    assert len(notes(page, "ask")) == 2


# Films


def test_of_two_films_the_active_one_is_asked_about(page: Page) -> None:
    hang(page, film(), film("prior.png", seed=1), active="b")
    assert page.locator(".film-name").all_inner_texts() == ["film.png", "prior.png"]
    expect(page.locator(".view.active")).to_have_attribute("data-slot", "b")
    asked(page, "mass")
    assert [order["token"] for (order,) in notes(page, "ask")] == ["prior.png"]
    page.locator(".film-name", has_text="film.png").click()
    assert notes(page, "activate")[-1] == ["a"]
    expect(page.locator(".answer")).to_be_hidden()
    expect(page.locator("#ask-heat-canvas-b")).to_be_visible()
    page.locator(".view[data-slot=b] .stage").click()
    expect(page.locator(".answer-text")).to_have_text("mass")


def test_the_film_that_stays_keeps_its_answers(page: Page) -> None:
    prior = film("prior.png", seed=1)
    hang(page, film(), prior, active="b")
    asked(page, "mass")
    page.evaluate(
        "() => { openFilms.films.a = openFilms.films.b; delete openFilms.films.b; openFilms.update({ active: 'a' }); }"
    )
    assert page.locator(".view").count() == 1
    expect(page.locator(".answer-text")).to_have_text("mass")
    expect(page.locator("#ask-heat-canvas")).to_be_visible()


def test_a_film_that_was_turned_is_another_film(page: Page) -> None:
    asked(page, "mass")
    hang(page, film(seed=2))  # the same name and token, other pixels
    expect(page.locator(".answer")).to_be_hidden()
    assert history(page) == []


def test_taking_a_film_away_is_for_read_to_do(page: Page) -> None:
    page.locator(".close").click()
    assert notes(page, "takeDown") == [["a"]]
    hang(page)
    expect(page.locator(".drop-title")).to_be_visible()
    expect(page.locator(".word-detail")).to_be_visible()


def test_a_question_waits_until_the_film_is_read(page: Page, wording: Wording) -> None:
    hang(page, film("new.png", seed=3, stage="scoring", opinion=None))
    ask(page, "mass")
    wording(text_with(page.locator(".question-state")))
    assert notes(page, "ask") == []
    page.evaluate("() => { openFilms.films.a.stage = 'read'; openFilms.update({}); }")
    expect(page.locator(".answer-text")).to_have_text("mass")


def test_a_refused_film_is_asked_about_only_on_request(page: Page) -> None:
    reason = "Not a chest film."
    verdict = verdict_answer(reason, "Open another.", "turn left")
    hang(page, film("leg.png", seed=4, stage="refused", opinion=None, refusal={"verdict": verdict}))
    expect(page.locator(".word-title")).to_have_text(reason)
    ask(page, "mass")
    assert notes(page, "ask") == []
    page.get_by_role("button", name="Turn left and read").click()
    page.get_by_role("button", name="Ask about it anyway").click()
    assert notes(page, "amend") == [["turn left"]] and len(notes(page, "anyway")) == 1
    page.evaluate(
        "verdict => (Object.assign(openFilms.films.a, { stage: 'read', opinion: { verdict } }), openFilms.update({}))",
        verdict,
    )
    expect(page.locator(".answer-text")).to_have_text("mass")
    expect(page.locator(".verdict")).to_have_text(f"Read anyway. {reason}")
