"""Answers on disk: durable before they are acknowledged, in few commits, once each, refused where they cannot be."""

from __future__ import annotations

import sqlite3
from concurrent.futures import wait
from pathlib import Path

import pytest

from explorer.school.classroom.answers import AnswerDatabase
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.kept import class_rows, learner_row
from explorer.school.classroom.place import ClassAddresses
from explorer.school.classroom.refusal import ClassRefusal
from tests.explorer.school.classroom.served_class import goiter, prepared
from tests.support.wording import Wording

HERE = ClassAddresses(("http://127.0.0.1:7861/",), False, "")


def rows(file: Path, question: str) -> list[tuple]:
    with sqlite3.connect(file) as database:
        found = database.execute(question).fetchall()
    database.close()
    return found


def test_what_waits_while_a_commit_is_made_goes_into_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = AnswerDatabase(tmp_path / "a.sqlite", class_rows("a", prepared(), False))
    commits: list[int] = []
    really = answers._commit
    monkeypatch.setattr(answers, "_commit", lambda rows: (commits.append(len(rows)), really(rows))[1])
    kept = [answers.add(learner_row(number, f"L{number}")) for number in range(300)]
    wait(kept, timeout=30)
    assert all(each.done() and each.exception() is None for each in kept)
    assert sum(commits) == 300 and len(commits) < 150
    answers.close()
    assert rows(tmp_path / "a.sqlite", "SELECT count(*) FROM learners") == [(300,)]
    assert [file.name for file in tmp_path.iterdir()] == ["a.sqlite"]


def test_one_that_cannot_be_kept_is_not_in_the_way_of_the_others(tmp_path: Path) -> None:
    answers = AnswerDatabase(tmp_path / "a.sqlite", class_rows("a", prepared(), False))
    rows_of = ((0, "A"), (1, "A"), (2, "B"), (3, "half a \ud800"), (10**30, "huge"), (4, "C"))
    kept = [answers.add(learner_row(number, name)) for number, name in rows_of]
    assert not kept[0].cancel()  # who gives up waiting does not undo it
    wait(kept, timeout=30)
    assert [each.exception() is None for each in kept] == [True, False, True, False, False, True]
    assert all(isinstance(kept[place].exception(), ClassRefusal) for place in (1, 3, 4))
    answers.close()
    assert rows(tmp_path / "a.sqlite", "SELECT nickname FROM learners ORDER BY 1") == [("A",), ("B",), ("C",)]


def test_a_full_disk_is_told_and_the_same_answer_can_be_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    classroom = Classroom(HERE, tmp_path / "classes")
    classroom.begin(prepared())
    classroom.go(0)
    session = classroom.session()
    assert session is not None
    learner, _, kept = session.join(session.code, "Ann")
    kept.result(timeout=10)

    def full(rows: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(classroom._answers, "_commit", full)
        refused = session.answer(learner, 0, goiter())
        with pytest.raises(ClassRefusal, match="disk is full"):
            refused.result(timeout=10)
        _, _, unkept = session.join(session.code, "Ben")
        with pytest.raises(ClassRefusal):
            unkept.result(timeout=10)
    assert classroom.board()["answered"] == 0 and len(classroom.board()["learners"]) == 1
    session.answer(learner, 0, goiter(3)).result(timeout=10)
    assert classroom.board()["answered"] == 1
    session.join(session.code, "Ben")[2].result(timeout=10)
    classroom.close()


def test_a_class_whose_answers_cannot_be_kept_does_not_begin(tmp_path: Path, wording: Wording) -> None:
    (tmp_path / "file").write_text("in the way")
    classroom = Classroom(HERE, tmp_path / "file" / "classes")
    with pytest.raises(ClassRefusal) as caught:
        classroom.begin(prepared())
    wording(caught.value, "kept")
    assert not classroom.board()["running"]
    whole = Classroom(HERE, tmp_path / "classes")
    with pytest.raises(ClassRefusal, match="no film"):
        whole.begin(prepared().__class__(prepared().playlist, (), {}))
    whole.begin(prepared())
    with pytest.raises(ClassRefusal, match="A class is running"):
        whole.begin(prepared())
    whole.close()
    whole.close()
