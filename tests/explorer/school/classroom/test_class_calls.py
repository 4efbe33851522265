from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from explorer.school.classroom.class_calls import MAX_CLASSES, ClassCalls, class_calls
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from explorer.school.preparing.prepared import PreparedFilm
from tests.explorer.school.classroom.kept_classes import keep_class
from tests.explorer.school.made import prepared_film

YES, NO = LearnerAnswer(2, present=True), LearnerAnswer(2, present=False)
NAME = "20261125-101500-0a1b"


def film(case: str, question: FilmQuestion, *, cohort: str = "phantom", label: str = "present") -> PreparedFilm:
    made = prepared_film(question, Truth({"Mass": label, "Nodule": "absent"}, ""))  # type: ignore[dict-item]
    return replace(made, entry=replace(made.entry, cohort=cohort, case=case))


FILMS = [
    film("a", FilmQuestion("present", "Mass")),
    film("b", FilmQuestion("findings"), label="absent"),
    film("c", FilmQuestion("point", "Mass")),
    film("d", FilmQuestion("normal")),
    film("e", FilmQuestion("present", "Mass"), cohort="other"),
    film("f", FilmQuestion("present", "Mass"), label="uncertain"),
]


def test_calls_are_those_of_every_kind_of_question_about_the_finding(tmp_path: Path) -> None:
    named = LearnerAnswer(1, findings={"Mass": "left", "Nodule": ""})
    answers = [LearnerFilmAnswer("ann", place, YES) for place in (0, 4, 5)]
    answers += [
        LearnerFilmAnswer("ann", 1, named),
        LearnerFilmAnswer("ann", 2, LearnerAnswer(1)),
        LearnerFilmAnswer("ann", 3, LearnerAnswer(1, normal=False)),
    ]
    answers += [LearnerFilmAnswer("ben", 0, NO), LearnerFilmAnswer("ben", 2, LearnerAnswer(1, point=(0.5, 0.5)))]
    answers += [LearnerFilmAnswer("cem", 0, NO), LearnerFilmAnswer("cem", 1, LearnerAnswer(1, findings={}))]
    keep_class(tmp_path, NAME, FILMS, answers)
    (held,) = class_calls("phantom", "Mass", tmp_path)
    assert held.title == "Tails, 2026-11-25"
    assert held.learners == {
        1: {"a": True, "b": True, "c": False},
        2: {"a": False, "c": True},
        3: {"a": False, "b": False},
    }
    assert held.majority == {"a": False}  # of b and c the class is divided
    (other,) = class_calls("phantom", "Nodule", tmp_path)
    assert other.learners == {1: {"b": True}, 3: {"b": False}}
    assert class_calls("phantom", "Hernia", tmp_path) == class_calls("nowhere", "Mass", tmp_path) == ()


def test_nicknames_are_not_in_what_is_read(tmp_path: Path) -> None:
    keep_class(tmp_path, NAME, FILMS, [LearnerFilmAnswer("Zebedee", 0, YES)])
    assert "Zebedee" not in repr(class_calls("phantom", "Mass", tmp_path))


def test_the_newest_classes_come_first_and_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    for day in range(10, 10 + MAX_CLASSES + 2):
        keep_class(tmp_path, f"202611{day}-101500-0a1b", FILMS, [LearnerFilmAnswer("ann", 0, YES)])
    (tmp_path / "20261130-101500-0a1b.sqlite").write_bytes(b"no database")
    (tmp_path / "notes.sqlite").write_bytes(b"no class")
    found = class_calls("phantom", "Mass", tmp_path)
    assert [each.title for each in found] == [f"Tails, 2026-11-{day}" for day in range(9 + MAX_CLASSES + 2, 9 + 2, -1)]
    assert found[0] == ClassCalls(found[0].title, {1: {"a": True}})


def test_without_a_class_there_is_none(tmp_path: Path) -> None:
    assert class_calls("phantom", "Mass", tmp_path / "none") == ()
