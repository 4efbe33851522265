"""`class list`, `export` and `delete`: of a class that ended, of one that runs, of one that was broken off."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from explorer.cohorts.layout import HOME_VARIABLE
from explorer.school.classroom.classroom import Classroom
from explorer.school.classroom.place import ClassAddresses
from explorer.school.playlists.playlist import FilmQuestion
from tests.explorer.cli.command import run
from tests.explorer.school.classroom.served_class import goiter, prepared
from tests.support.wording import Wording, line_with

HERE = ClassAddresses(("http://127.0.0.1:7861/",), False, "")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    return tmp_path / "home" / "classes"


NEVER_AGAIN = dict.fromkeys(("model_shown", "answer_again", "sure_again", "right_again"), "")


def begun() -> Classroom:
    """A class with two answers to three films."""
    classroom = Classroom(HERE)
    classroom.begin(prepared(FilmQuestion("findings"), FilmQuestion("point", "Goiter"), FilmQuestion("normal")))
    classroom.go(1)
    session = classroom.session()
    assert session is not None
    for nickname, answer in (("=Ann", goiter()), ("Ben", goiter(3, "right"))):
        learner, _, kept = session.join(session.code, nickname)
        kept.result(timeout=10)
        session.answer(learner, 0, answer).result(timeout=10)
    session.answer(learner, 1, {"sure": 1, "point": [0.25, 0.5]}).result(timeout=10)
    return classroom


def row(**cells: str) -> dict[str, str]:
    usual = {"nickname": "Ben", "film": "1", "films": "SIMULATED", "cohort": "", "case": "phantom://v1/A/7?Goiter=left"}
    return {**usual, "question": "Which findings does this film show?", "inside": "", **NEVER_AGAIN, **cells}


def test_a_class_is_listed_and_exported_as_csv_and_parquet(home: Path, tmp_path: Path, wording: Wording) -> None:
    wording(run("class", "list").stdout)
    classroom = begun()
    name = classroom.board()["id"]
    (line,) = run("class", "list").stdout.splitlines()[2:]
    assert line.split()[0] == name and line.split()[2:] == ["running", "3", "2", "3", "A", "lesson"]
    classroom.close()
    assert " ended " in run("class", "list").stdout

    out = tmp_path / "answers.csv"
    done = run("class", "export", name, "--out", str(out))
    assert done.exit_code == 0
    wording(done.stdout, "3 answers", "2 learners", "3 films", out)
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8"))))
    moments = {each.pop("answered_utc") for each in rows}
    assert {each.pop("class") for each in rows} == {name} and all(
        len(each) == len("2026-11-25T14:15:00Z") for each in moments
    )
    question, answer = rows[2]["question"], rows[2]["answer"]
    wording(question, "Goiter")
    wording(answer, "25 %", "50 %")
    seen = "Goiter: hit; Kyphosis: correct rejection"
    assert rows == [
        row(nickname="'=Ann", answer="Goiter (left)", sure="2", right="1", outcomes=seen, sides="Goiter: right side"),
        row(answer="Goiter (right)", sure="3", right="0", outcomes=seen, sides="Goiter: wrong side"),
        row(
            film="2",
            question=question,
            answer=answer,
            sure="1",
            right="1",
            outcomes="Goiter: hit",
            sides="",
        ),
    ]
    parquet = tmp_path / "answers.parquet"
    assert run("class", "export", name, "--out", str(parquet)).exit_code == 0
    table = pq.read_table(parquet)
    assert table.column_names == list(csv.DictReader(io.StringIO(out.read_text("utf-8"))).fieldnames or [])
    assert table["nickname"].to_pylist() == ["=Ann", "Ben", "Ben"] and table["right"].to_pylist() == [1, 0, 1]
    assert {f"{moment:%Y-%m-%dT%H:%M:%SZ}" for moment in table["answered_utc"].to_pylist()} == moments


def test_a_class_is_deleted_as_a_whole(home: Path) -> None:
    classroom = begun()
    name = classroom.board()["id"]
    refused = run("class", "delete", name)
    assert refused.exit_code == 2 and "is running" in refused.stderr
    assert len(list(home.iterdir())) == 4  # database, WAL, its index, lock
    classroom.close()
    for ending in ("sqlite-wal", "sqlite-shm", "lock"):  # as a process that was killed leaves them
        (home / f"{name}.{ending}").touch()
    done = run("class", "delete", name)
    assert done.exit_code == 0 and all(f"{name}.{each}" in done.stdout for each in ("sqlite", "sqlite-wal", "lock"))
    assert list(home.iterdir()) == []


def test_what_cannot_be_is_refused_in_words(home: Path, tmp_path: Path, wording: Wording) -> None:
    for words in (("export", "nothing", "--out", str(tmp_path / "a.csv")), ("delete", "../../etc")):
        refused = run("class", *words)
        assert refused.exit_code == 2 and "There is no class" in refused.stderr
    classroom = begun()
    name = classroom.board()["id"]
    classroom.close()
    wrong = run("class", "export", name, "--out", str(tmp_path / "answers.xlsx"))
    assert wrong.exit_code == 2
    wording(line_with(wrong.stderr, "a .parquet"))
    (home / f"{name}.sqlite").write_bytes(b"not a database, but long enough to be looked at as if it were one" * 99)
    assert "cannot be read" in run("class", "list").stdout
    damaged = run("class", "export", name, "--out", str(tmp_path / "a.csv"))
    assert damaged.exit_code == 2 and "cannot be read" in damaged.stderr
    assert run("class", "delete", name).exit_code == 0


def test_an_answer_is_kept_as_it_was_given(home: Path) -> None:
    classroom = begun()
    classroom.close()
    with sqlite3.connect(home / f"{classroom.board()['id']}.sqlite") as database:
        kept = database.execute("SELECT answer FROM answers ORDER BY film, learner").fetchall()
        columns = [each[1] for each in database.execute("PRAGMA table_info(learners)")]
    database.close()
    assert [json.loads(each) for (each,) in kept] == [goiter(), goiter(3, "right"), {"sure": 1, "point": [0.25, 0.5]}]
    assert columns == ["learner", "nickname"]
