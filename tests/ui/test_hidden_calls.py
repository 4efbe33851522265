"""What the server answers about hidden films, quizzes and lessons: nothing that tells before the answer."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest

from explorer.core.findings import FINDINGS
from explorer.school.class_file.sealed import Seal
from explorer.school.lessons.catalog import LESSONS
from explorer.school.playlists.playlist_files import PlaylistFiles
from explorer.simulator.address import make_address, parse_film_address
from explorer.simulator.film_png import render_elsewhere, render_film, simulated_png_elsewhere
from explorer.store.store import Store
from explorer.ui.simulate.hidden_calls import HiddenFilms
from explorer.ui.simulate.lesson_calls import LessonCalls
from models.radiograph import read_radiograph
from models.statistics import wilson

pytestmark = pytest.mark.slow

GOITER = {"finding": "Goiter", "side": "", "severity": 0.9}
ORDER = {"center": "A", "seed": 300_041, "requests": [GOITER], "version": 2}
FILM = make_address("A", 300_041, [])


@pytest.fixture(scope="module")
def hidden() -> HiddenFilms:
    return HiddenFilms(lambda: Seal(b"k" * 32), Random(3))


def asked(call: Any, sent: object) -> dict[str, Any]:  # noqa: ANN401
    return cast(dict[str, Any], call(sent))


def tells(answer: dict[str, Any]) -> bool:
    """Whether any finding is named beside the picture and the sealed name, which are random letters."""
    said = json.dumps({**answer, "seal": "", "film": {**answer["film"], "image": ""}}).lower()
    return any(name.lower() in said for name in FINDINGS) or "300041" in said or "phantom://" in said


def test_a_sealed_film_is_the_film_and_no_more_until_it_is_revealed(hidden: HiddenFilms) -> None:
    seal = asked(hidden.simulated_seal, ORDER)["seal"]
    film = asked(hidden.simulated_hidden, {"seal": seal})
    assert set(film) == {"stage", "seal", "patient", "film"} and not tells(film)
    assert film["film"]["simulated"] and film["film"]["sha256"] == ""
    other = asked(hidden.simulated_hidden_other, {"seal": seal})
    assert not tells(other) and other["seal"] != seal
    assert (
        parse_film_address(hidden.seal.open(other["seal"])).requests
        == parse_film_address(hidden.seal.open(seal)).requests
    )
    assert asked(hidden.simulated_reveal, {"seal": seal})["order"] == ORDER


@pytest.mark.parametrize("normals", [0, 1])
def test_a_quiz_is_judged_by_the_truth_and_counted(hidden: HiddenFilms, normals: float) -> None:
    question = {"kind": "findings", "finding": None}
    film = asked(hidden.quiz_film, {"question": question, "normals": normals})
    assert not tells(film)
    (request,) = parse_film_address(hidden.seal.open(film["seal"])).requests or [None]
    right = {request.finding: request.side or ""} if request else {}
    wrong = {} if request else {"Mass": ""}
    for findings, hits in ((right, 3), (wrong, 2)):
        sent = {"seal": film["seal"], "question": question, "answer": {"sure": 3, "findings": findings}}
        judged = asked(hidden.quiz_answer, {**sent, "hits": 2, "n": 4})
        assert judged["right"] is (hits == 3)
        assert judged["tally"] == {"hits": hits, "n": 5, "interval": wilson(hits, 5)}
        assert [each["finding"] for each in judged["order"]["requests"]] == ([request.finding] if request else [])
    refusal = asked(hidden.quiz_answer, {"seal": film["seal"], "question": question, "answer": {"findings": {}}})
    assert refusal["stage"] == "wrong" and "sure" in refusal["title"]


def test_the_same_patient_at_the_other_center_keeps_anatomy_and_view() -> None:
    where = make_address("B", 300_046, ["Mass"])
    here, there = render_film(where), render_elsewhere(where)
    assert not np.array_equal(here.pixels, there.pixels) and set(here.masks) == set(there.masks) == {"Mass"}
    film = read_radiograph(simulated_png_elsewhere(where))
    assert film.simulated and film.pixels.shape == (512, 512)
    assert abs(there.masks["Mass"].mean() - here.masks["Mass"].mean()) < 0.5 * here.masks["Mass"].mean()


def test_a_lesson_hides_its_films_and_notes_until_the_answer(hidden: HiddenFilms, tmp_path: Path) -> None:
    store = Store()
    calls = LessonCalls(store, hidden, PlaylistFiles(lambda: tmp_path))
    lesson = asked(calls.lesson, 1)
    notes = [asked(calls.lesson_answer, {"lesson": 1, "step": n, "answer": None})["note"] for n in range(4)]
    assert len(lesson["steps"]) == 4 and all(note not in json.dumps(lesson) for note in notes)
    for number, step in enumerate(lesson["steps"]):
        assert set(step) == {"before", "words", "question", "link"}
        finding = step["question"]["finding"]
        where = parse_film_address(hidden.seal.open(step["link"].partition("sealed=")[2]))
        present = any(each.finding == finding for each in where.requests)
        for said in (True, False):
            answer = {"sure": 1, "present": said}
            judged = asked(calls.lesson_answer, {"lesson": 1, "step": number, "answer": answer, "hits": 0, "n": 0})
            assert judged["right"] is (said == present)
            assert judged["tally"] == {"hits": int(judged["right"]), "n": 1, "interval": wilson(judged["right"], 1)}
            assert f"look={finding.replace(' ', '+')}" in judged["shown"] and judged["number"]["mark"]
    key = asked(calls.lesson_copied, 1)["key"]
    copy = PlaylistFiles(lambda: tmp_path).kept(key).playlist
    assert copy.title == LESSONS[0].title and [film.note for film in copy.films] == notes
    assert all(film.link.startswith("#explore?") and film.mark.startswith("#explore ") for film in copy.films)
    assert asked(calls.lesson_for_class, 1)["key"] == key  # a copy that is as it was made is not made twice
    assert asked(calls.lesson_for_class, 3)["key"] != key
    store.close()


@pytest.mark.parametrize("sent", [None, 0, 7, "1", True, {}, {"lesson": 1, "step": 4}, {"lesson": 1, "step": True}])
def test_a_lesson_that_is_not_there_is_refused_in_words(hidden: HiddenFilms, sent: object) -> None:
    calls = LessonCalls(Store(), hidden)
    call = calls.lesson_answer if isinstance(sent, dict) else calls.lesson
    answer = asked(call, sent)
    assert answer["stage"] == "wrong" and answer["title"] and answer["detail"]


def test_without_a_simulated_cohort_a_lesson_says_so(hidden: HiddenFilms) -> None:
    calls = LessonCalls(Store(lambda: ()), hidden)
    for number, lesson in enumerate(LESSONS, 1):
        answer = asked(calls.lesson, number)
        if "heat" in lesson.title:  # its films are simulated, whatever was scored
            assert len(answer["steps"]) == 5
        else:
            assert "no films here" in answer["title"]
