"""What the learners' page computes by itself, in a file that no server helps: the same as Python does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from explorer.core.csv_table import csv_text
from explorer.core.findings import FINDINGS
from explorer.school.class_file.class_file import findings_by_group, truth_payload
from explorer.school.class_file.sealed_parts import canonical_json, seal_part
from explorer.school.judging.answer import LearnerAnswer, answer_json
from explorer.school.judging.answer_words import answer_words
from explorer.school.judging.judged import grade_answer
from explorer.school.judging.result_table_payload import own_table_payload
from explorer.school.playlists.playlist import QUESTION_KINDS, FilmQuestion
from explorer.school.playlists.truth import Truth, TruthBox
from models.anatomy.places import place_map
from models.prompts.terms import terms
from models.statistics import wilson
from tests.explorer.school.judging.test_results import NAMES as NAMES_OF_A_CLASS
from tests.explorer.school.judging.test_results import random_class
from tests.models.anatomy.drawn import drawn_chest
from tests.ui.module_page import open_page
from tests.ui.windows import Kind, windows

pytestmark = pytest.mark.browser
NAMES = ("Normal", "Mass", "Hydropneumothorax", "Pneumothorax", "Pleural Effusion", "Edema")  # some say others too
GRID = place_map(drawn_chest()).grid()
CASES = 400


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    with windows(chromium).window(800, 600, Kind()) as page:
        open_page(page, "<!doctype html><title>Modules</title>")
        yield page


def run(page: Page, module: str, body: str, *values: object) -> Any:  # noqa: ANN401 - whatever it gives
    return page.evaluate(
        f"async ([name, v]) => {{ const m = await import('/class/' + name); return {body}; }}", [module, values]
    )


def a_truth(draw: Random) -> Truth:
    labels = {name: draw.choice(("present", "absent", "uncertain")) for name in NAMES if draw.random() < 0.8}
    sides = {name: draw.choice(("left", "right", "both", "none")) for name in labels if draw.random() < 0.7}
    noise = np.random.default_rng(draw.getrandbits(32))
    masks = {name: noise.random((11, 17)) < 0.04 for name in labels if draw.random() < 0.5}
    boxes = tuple(TruthBox(name, 0.2, 0.3, 0.4, 0.3, "somebody") for name in labels if draw.random() < 0.3)
    return Truth(labels, "", sides, masks, boxes, draw.choice((None, 0, 1)))  # type: ignore[arg-type]


def an_answer(draw: Random, question: FilmQuestion, truth: Truth) -> LearnerAnswer:
    sure = draw.choice((1, 2, 3))
    if question.kind == "findings":
        there = [name for name in truth.present if name != "Normal"]
        named = there if draw.random() < 0.4 else draw.sample(NAMES[1:], draw.randrange(4))
        return LearnerAnswer(sure, findings={name: draw.choice(("left", "right", "both", "")) for name in named})  # type: ignore[arg-type]
    if question.kind == "point":
        return LearnerAnswer(sure, point=None if draw.random() < 0.2 else (draw.random(), draw.random()))
    if question.kind == "pair":
        return LearnerAnswer(sure, picked=draw.choice((0, 1)))
    said = draw.random() < 0.5
    return LearnerAnswer(sure, normal=said) if question.kind == "normal" else LearnerAnswer(sure, present=said)


def test_answers_are_judged_and_worded_as_python_does(page: Page) -> None:
    draw = Random(7)
    sent, expected = [], []
    for case in range(CASES):
        question = FilmQuestion(QUESTION_KINDS[case % len(QUESTION_KINDS)], draw.choice(NAMES[1:]))
        truth = a_truth(draw)
        answer = an_answer(draw, question, truth)
        given = {"point": None} | answer_json(answer)
        places = GRID if draw.random() < 0.5 else None
        asked = {"kind": question.kind, "finding": question.finding, "places": places and list(places.rows)}
        target = draw.choice(("", *NAMES[1:]))
        sent.append([asked, given, truth_payload(question, truth, target)])
        came_to = grade_answer(question, answer, truth, target)
        found = [
            came_to.right,
            {**came_to.outcomes},
            {**came_to.sides},
            came_to.inside,
            came_to.credit,
            answer_words(answer, places),
        ]
        expected.append(json.loads(json.dumps(found)))
    body = """v[0].map(([question, answer, truth]) => {
        const { right, outcomes, sides, inside, credit } = m.judgeAnswer(question, answer, truth);
        return [right, outcomes, sides, inside, credit, words.answerWords(answer, question)];
    })"""
    body = f"(words => {body})(await import('/class/answer_words.js'))"
    assert run(page, "judged.js", body, sent) == expected
    assert {case[0] for case in expected} == {True, False, None}
    assert {case[3] for case in expected} == {True, False, None}


def test_intervals_are_wilsons(page: Page) -> None:
    pairs = [(hits, n) for n in (1, 3, 20, 200) for hits in (0, n // 3, n)]
    found = run(page, "own_sheet.js", "v[0].map(([hits, n]) => m.wilsonInterval(hits, n))", pairs)
    np.testing.assert_allclose(found, [wilson(*pair) for pair in pairs])
    assert run(page, "own_sheet.js", "m.countRight(v[0])", [True, None, False])["n"] == 2
    assert run(page, "own_sheet.js", "m.countRight([null])") == {"hits": 0, "n": 0, "interval": None}


def test_the_own_table_is_counted_as_python_does(page: Page) -> None:
    films, answers = random_class(5)
    mine = sorted((each for each in answers if each.learner == "ben"), key=lambda each: each.film)
    sent = []
    for each in mine:
        film = films[each.film]
        came_to = grade_answer(film.entry.question, each.answer, film.truth)
        made = {"right": came_to.right, "outcomes": {**came_to.outcomes}}
        sent.append({"film": each.film, "judged": made, "outcomes": film.outcomes})
    found = run(page, "own_sheet.js", "m.makeOwnTable(v[0], v[1])", sent, findings_by_group(NAMES_OF_A_CLASS))
    assert found == approx({**own_table_payload(films, mine), "again": []})


def approx(value: Any) -> Any:  # noqa: ANN401 - of any JSON
    """Equal to the last digits: the two compute in another order."""
    if isinstance(value, dict):
        return {name: approx(each) for name, each in value.items()}
    if isinstance(value, list):
        return [approx(each) for each in value]
    return pytest.approx(value) if isinstance(value, float) else value


def test_the_sheet_is_the_same_file_and_no_spreadsheet_runs_it(page: Page) -> None:
    texts = ("=1+1", " @SUM(A1)", "\u200b-2", "a, b", 'say "so"', "two\nlines", "\uff1d1", "plain", "\t=1", "-")
    said = {"sure": "certain", "truth": "x"}
    rows, lines = [], []
    for film, text in enumerate(texts):
        right, word = [(True, "yes"), (False, "no"), (None, "")][film % 3]
        rows.append({"film": film, "question": text, "answer": text, **said, "right": right})
        lines.append({"film": film + 1, "question": text, "answer": text, **said, "right": word})
    expected = csv_text(("film", "question", "answer", "sure", "truth", "right"), lines)  # type: ignore[arg-type]
    assert run(page, "own_sheet.js", "m.makeCsv(v[0])", rows) == expected


def test_what_is_sealed_is_opened_again(page: Page) -> None:
    part = {"words": "\u00fcber", "list": [1.5, None]}
    assert run(page, "sealed.js", "await m.unseal(v[0])", seal_part(canonical_json(part), 500)) == part


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("mass", "Mass"),
        ("PLEURAL EFF", "Pleural Effusion"),
        ("effusion pleural", "Pleural Effusion"),
        ("big heart", "Cardiomegaly"),
        ("collapsed lung", "Pneumothorax"),
        ("plueral", "Pleural Effusion"),
        ("pneumthorax", "Pneumothorax"),
        ("cardiomegally", "Cardiomegaly"),
        ("noddule", "Nodule"),
        ("xyz", None),
        ("  ", None),
    ],
)
def test_a_finding_is_found_by_its_name_or_another_word_for_it(page: Page, typed: str, first: str | None) -> None:
    names = {name: list(terms()[name].taught) for name in FINDINGS if name != "Normal"}
    found = run(page, "finding_search.js", "m.searchFindings(v[0], v[1])", names, typed)
    assert (found[0]["finding"] if found else None) == first
    assert len(found) <= 6
