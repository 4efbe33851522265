"""What the teacher's page is answered: nothing of a truth before its reveal, numbers as a plain loop counts them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.place import ClassAddresses
from explorer.school.judging.answer import read_answer
from explorer.school.judging.judged import grade_answer
from explorer.ui.teach.class_calls import TeacherCalls
from models.statistics import wilson
from tests.support.prepared_class import CLOSING, NOTE, prepared_class
from tests.ui.class_desk import calls_of

PLACE = ClassAddresses(("http://127.0.0.1:9/",), False, "Not encrypted.")


@pytest.fixture
def classroom(tmp_path: Path) -> Iterator[Classroom]:
    room = Classroom(PLACE, tmp_path / "classes")
    yield room
    room.close()


@pytest.fixture
def calls(classroom: Classroom, tmp_path: Path) -> TeacherCalls:
    return calls_of(classroom, tmp_path / "playlists")


def begun(calls: TeacherCalls, *, own_pace: bool = False) -> None:
    found = calls.class_playlists(None)
    assert found["stage"] == "playlists"
    (playlist,) = found["playlists"]
    assert (playlist["title"], playlist["films"]) == ("Chest films", 5)
    order = {"playlist": playlist["key"], "own_pace": own_pace}
    assert calls.class_begin(order) == {"stage": "preparing", "done": 3, "films": 5}
    assert calls.class_begin(order) == {"stage": "begun", "left_out": []}


def refused(answer: object) -> bool:
    return isinstance(answer, dict) and answer.get("stage") == "refused" and bool(answer["title"] and answer["detail"])


def test_before_the_reveal_nothing_tells(calls: TeacherCalls) -> None:
    begun(calls)
    for film in range(5):
        calls.class_go(film)
        results = calls.class_results(None)
        assert results["stage"] == "results"
        counted = results["films"][film]
        before = json.dumps([calls.class_film(film), calls.class_board(None), counted])
        said = ("the simulator", NOTE, CLOSING, "phantom-mini", "outlines", "present (", '"right": {')
        assert [secret for secret in said if secret in before] == []
        calls.class_reveal(None)
        after = json.dumps([calls.class_film(film), calls.class_board(None)])
        assert [secret for secret in ("the simulator: exact", NOTE, '"right": {') if secret not in after] == []
        assert CLOSING not in after


def test_counts_are_those_of_a_plain_loop(calls: TeacherCalls, classroom: Classroom) -> None:
    begun(calls)
    random, films = np.random.default_rng(3), prepared_class().films
    session = classroom.session()
    assert session is not None
    learners = [session.join(session.code, f"Learner {number}")[0] for number in range(12)]
    for number in range(5):
        calls.class_go(number)
        asked, kept, right = films[number], [], []
        for learner in learners:
            if random.random() < 0.2:
                continue
            sent = {
                "sure": int(random.integers(1, 4)),
                "findings": {"Mass": "left"} if random.random() < 0.5 else {},
                "point": random.random(2).tolist(),
                "normal": bool(random.random() < 0.5),
                "present": bool(random.random() < 0.5),
                "picked": int(random.integers(2)),
            }
            kept.append(session.answer(learner, number, sent))
            right.append(grade_answer(asked.entry.question, read_answer(asked.entry.question, sent), asked.truth).right)
        for each in kept:
            each.result(timeout=10)
        board = calls.class_board(None)
        assert (board["answered"], board["at_each_film"][number]) == (len(right), len(right))
        assert board["tally"] is not None and board["tally"]["right"] is None
        if number % 2:
            calls.class_reveal(None)
        results = calls.class_results(None)
        assert results["stage"] == "results"
        shown = results["films"][number]
        counted = {"hits": right.count(True), "n": len(right), "interval": wilson(right.count(True), len(right))}
        assert (shown["answered"], shown["right"]) == (len(right), counted if number % 2 else None)
    assert calls.class_end(None) == {"stage": "done"}
    results = calls.class_results(None)
    assert results["stage"] == "results"
    assert all(film["right"] is not None for film in results["films"])
    assert (results["closing"], results["learners"]) == (CLOSING, 12)


def test_what_cannot_be_done_is_said(calls: TeacherCalls, tmp_path: Path) -> None:
    steps = (calls.class_reveal, calls.class_end, calls.class_results, calls.class_film)
    assert all(refused(step(None)) for step in steps)
    assert refused(calls.class_begin({"playlist": "0" * 16})) and refused(calls.class_begin(None))
    begun(calls)
    assert refused(calls.class_begin({"playlist": "0" * 16}))
    assert refused(calls.class_reveal(None))  # no film is shown yet
    assert all(refused(calls.class_go(film)) and refused(calls.class_film(film)) for film in (-1, 5, "1", True, None))
    without = calls_of(Classroom(), tmp_path / "playlists")
    (playlist,) = without.class_playlists(None)["playlists"]  # type: ignore[typeddict-item]  # not refused
    assert refused(without.class_begin({"playlist": playlist["key"]}))
    assert without.class_one_file(playlist["key"]) == {"stage": "preparing", "done": 3, "films": 5}
    saved = without.class_one_file(playlist["key"])
    assert saved["stage"] == "file" and saved["name"] == "class-chest-films.html"
    assert base64.b64decode(saved["content"]).startswith(b"<!doctype html>")
    assert refused(without.class_one_file("0" * 16)) and refused(without.class_one_file(None))
    assert without.class_board(None)["on"] is False
