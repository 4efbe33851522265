"""The database rows of a class. A learner's rows hold the nickname and the answers only."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from explorer.core.csv_table import iso
from explorer.core.version import version
from explorer.school.classroom.answers import Row
from explorer.school.judging.answer import Answer, answer_json
from explorer.school.judging.answer_words import answer_words
from explorer.school.judging.judged import Judged
from explorer.school.playlists.question_words import question_words
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist


def class_rows(name: str, prepared: PreparedPlaylist, own_pace: bool) -> list[Row]:
    """The rows of the class itself and of its films."""
    begun = (
        "INSERT INTO class VALUES (?, ?, ?, ?, NULL, ?)",
        (name, prepared.playlist.title, own_pace, now(), version()),
    )
    return [begun, *(_film_row(number, film) for number, film in enumerate(prepared.films))]


def _film_row(number: int, film: PreparedFilm) -> Row:
    asked = film.asked
    values = number, asked.cohort, asked.case, film.simulated, question_words(asked.question)
    return "INSERT INTO films VALUES (?, ?, ?, ?, ?)", values


def learner_row(number: int, nickname: str) -> Row:
    """The row of a learner, without time or place of joining."""
    return "INSERT INTO learners VALUES (?, ?)", (number, nickname)


def deleted_rows(number: int) -> tuple[Row, ...]:
    """The statements that remove a learner with all answers."""
    return tuple((f"DELETE FROM {table} WHERE learner = ?", (number,)) for table in ("answers", "learners"))


def renamed_row(number: int, nickname: str) -> Row:
    """The statement that removes a learner's nickname but keeps the answers."""
    return "UPDATE learners SET nickname = ? WHERE learner = ?", (nickname, number)


def answer_row(learner: int, film: int, answer: Answer, judged: Judged) -> Row:
    """The row of an answer and its result."""
    said = json.dumps(answer_json(answer), ensure_ascii=False)
    values = learner, film, now(), said, answer_words(answer), json.dumps(judged_payload(judged))
    return "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)", values


def ended_row() -> Row:
    """The statement that ends the class."""
    return "UPDATE class SET ended = ?", (now(),)


def judged_payload(judged: Judged) -> dict[str, object]:
    """An answer's result as JSON."""
    return {
        "right": judged.right,
        "sides": dict(judged.sides),
        "inside": judged.inside,
        "credit": judged.credit,
        "outcomes": {finding: str(outcome) for finding, outcome in judged.outcomes.items()},
    }


def now() -> str:
    """The present time in UTC, to the second."""
    return iso(datetime.now(UTC))
