"""Second answers, after seeing a model's: off unless chosen, after one's own, durable, and exported."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from explorer.school.classroom.class_study import class_study
from explorer.school.classroom.class_switches import class_decisions
from explorer.school.classroom.class_table import class_csv
from explorer.school.classroom.kept_classes import class_database
from explorer.school.classroom.refusal import ClassRefusal
from explorer.school.judging.switches import Decision
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.preparing.prepared import ModelCall, PreparedPlaylist
from tests.explorer.school.classroom import studied_class
from tests.explorer.school.classroom.served_class import SECRETS, Device, ServedClass, prepared, served_class
from tests.support.wording import Wording

CALLS = {"net": {"Goiter": ModelCall(0.75, True), "Kyphosis": ModelCall(0.25, False)}}
YES, NO = {"sure": 2, "present": True}, {"sure": 1, "present": False}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedClass]:
    with served_class(tmp_path_factory.mktemp("class")) as room:
        yield room


@pytest.fixture
def room(served: ServedClass) -> Iterator[ServedClass]:
    yield served
    served.classroom.close()


def playlist() -> PreparedPlaylist:
    """Two films with a model's answer, and one of a pair without."""
    made = prepared(FilmQuestion("present", "Goiter"), FilmQuestion("present", "Kyphosis"))
    pair = prepared(FilmQuestion("pair", "Goiter"), pair=0).films
    return replace(made, films=(*(replace(each, calls=CALLS) for each in made.films), *pair))


def again(device: Device, film: int, answer: object) -> int:
    return device.ask("/answer", {"film": film, "answer": answer, "second": True}).status


def test_without_the_teachers_choice_there_is_no_model(room: ServedClass) -> None:
    room.classroom.begin(playlist())
    ann = room.device("Ann")
    room.classroom.go(0)
    assert ann.answer(0, NO).status == 200
    assert ann.ask("/state").json["again"] == [None, None, None]
    assert ann.ask("/model/0").status == again(ann, 0, YES) == 404
    assert room.classroom.board()["again"] is None


def test_the_models_answer_comes_after_the_own_and_before_the_reveal(room: ServedClass, wording: Wording) -> None:
    room.classroom.begin(playlist(), with_model=True)
    ann, ben = room.device("Ann"), room.device("Ben")
    room.classroom.go(0)
    early = ann.ask("/model/0")
    assert early.status == again(ann, 0, YES) == 403
    wording(early.json["title"])
    assert ann.answer(0, NO).status == 200 and ann.ask("/state").json["again"] == [False, False, None]
    shown = ann.ask("/model/0").json
    assert shown == {"model": "net", "findings": [{"finding": "Goiter", "score": 0.75, "called": True}]}
    said = b"".join(each.body for each in ann.heard).decode()
    assert [secret for secret in SECRETS if secret in said and secret != "Goiter" and secret != "Kyphosis"] == []
    assert again(ann, 0, YES) == again(ann, 0, YES) == 200, "sending it again changes nothing"
    assert again(ann, 0, NO) == 409 and ann.answer(0, YES).status == 409, "both answers stand"
    assert room.classroom.board()["again_right"] is None, "not before the reveal"
    assert room.classroom.board()["again"] == 1 and room.classroom.board()["answered"] == 1
    assert ann.ask("/film/0").json["answer"] == NO and ann.ask("/film/0").json["again"] == YES
    ben.answer(0, YES)
    room.classroom.reveal()
    assert again(ben, 0, YES) == 409, "the reveal ends second answers, too"
    right = room.classroom.board()["again_right"]
    assert right is not None and (right["hits"], right["n"]) == (1, 1)
    revealed = ann.ask("/reveal/0").json
    assert revealed["judged"]["right"] is False and revealed["again"]["judged"]["right"] is True
    assert ben.ask("/reveal/0").json["again"] is None
    room.classroom.go(1)
    assert ben.answer(1, YES).status == again(ben, 1, NO) == 200
    name = room.classroom.board()["id"]
    room.classroom.end()
    assert class_decisions(name, room.kept) == (
        Decision(0, 1, True, before=False, after=True, model=True),
        Decision(1, 2, False, before=True, after=False, model=False),
    )
    rows = list(csv.DictReader(io.StringIO(class_csv(name, room.kept))))
    assert [(row["nickname"], row["answer"], row["answer_again"], row["right_again"]) for row in rows] == [
        ("Ann", "absent", "present", "1"),
        ("Ben", "present", "", ""),
        ("Ben", "present", "absent", "1"),
    ]
    assert {row["model_shown"] for row in rows} == {"net"} and rows[0]["sure_again"] == "2"


def test_at_the_own_pace_the_reveal_follows_the_second_answer(room: ServedClass) -> None:
    room.classroom.begin(playlist(), own_pace=True, with_model=True)
    ann = room.device("Ann")
    assert ann.answer(0, NO).status == 200
    state = ann.ask("/state").json
    assert (state["open"], state["revealed"]) == ([0], []) and ann.ask("/reveal/0").status == 403
    assert again(ann, 0, NO) == 200
    state = ann.ask("/state").json
    assert (state["open"], state["revealed"], state["again"]) == ([0, 1], [0], [True, False, None])


def test_a_learner_who_is_removed_leaves_no_second_answer(room: ServedClass) -> None:
    room.classroom.begin(playlist(), with_model=True)
    ann = room.device("Ann")
    room.classroom.go(0)
    assert ann.answer(0, NO).status == again(ann, 0, YES) == 200
    room.classroom.remove("Ann", keep=False, again=False)
    with class_database(room.classroom.board()["id"], room.kept) as database:
        assert database.execute("SELECT count(*) FROM second_answers").fetchone() == (0,)


def test_films_that_no_model_answers_do_not_begin_a_class_with_one(room: ServedClass, wording: Wording) -> None:
    with pytest.raises(ClassRefusal) as caught:
        room.classroom.begin(prepared(), with_model=True)
    wording(caught.value)
    assert not room.classroom.runs


def test_the_study_has_both_modalities(tmp_path: Path) -> None:
    studied_class.keep_with_model(tmp_path)
    found = class_study(studied_class.NAME, studied_class.FINDING, tmp_path).study
    assert found.modalities == ("alone", "with AI")
    assert (found.ratings[1] == studied_class.ratings_with_model()).all()
