"""The database rows of a class. A learner's rows hold only the nickname and the answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from explorer.core.csv_table import iso
from explorer.core.version import version
from explorer.school.classroom.answers import SqlRow
from explorer.school.judging.answer import LearnerAnswer, answer_json
from explorer.school.judging.answer_words import answer_words
from explorer.school.judging.judged import AnswerResult
from explorer.school.judging.model_answer import ModelAnswer
from explorer.school.playlists.question_words import question_words
from explorer.school.preparing.prepared import PreparedFilm, PreparedPlaylist
from models.anatomy.places import PlaceGrid


def class_rows(
    name: str, prepared: PreparedPlaylist, own_pace: bool, model_answers: Sequence[ModelAnswer | None] = ()
) -> list[SqlRow]:
    """Return the rows of the class itself, of its films and of the models' scores.

    `model_answers` are those that learners see, by film.
    """
    begun = (
        "INSERT INTO class VALUES (?, ?, ?, ?, NULL, ?)",
        (name, prepared.playlist.title, own_pace, utc_now(), version()),
    )
    films = list(enumerate(prepared.films))
    shown = {film: each.model for film, each in enumerate(model_answers) if each is not None}
    models = (row for number, film in films for row in _model_rows(number, film, shown.get(number)))
    return [begun, *(_film_row(*each) for each in films), *models]


def _film_row(number: int, film: PreparedFilm) -> SqlRow:
    entry = film.entry
    values = number, entry.cohort, entry.case, film.simulated, question_words(entry.question)
    return "INSERT INTO films VALUES (?, ?, ?, ?, ?)", values


def _model_rows(number: int, film: PreparedFilm, shown: str | None) -> Iterator[SqlRow]:
    """Yield the models' scores of a film, with which readers are compared after the class; learners see `shown`."""
    for model, calls in film.calls.items():
        values = number, model, model == shown, json.dumps(calls, ensure_ascii=False)
        yield "INSERT INTO model_calls VALUES (?, ?, ?, ?)", values


def learner_row(number: int, nickname: str) -> SqlRow:
    """Return the row of a learner, without when or where they joined."""
    return "INSERT INTO learners VALUES (?, ?)", (number, nickname)


def deleted_rows(number: int) -> tuple[SqlRow, ...]:
    """Return the statements that remove a learner and all their answers."""
    return tuple(
        (f"DELETE FROM {table} WHERE learner = ?", (number,)) for table in ("second_answers", "answers", "learners")
    )


def renamed_row(number: int, nickname: str) -> SqlRow:
    """Return the statement that removes a learner's nickname but keeps their answers."""
    return "UPDATE learners SET nickname = ? WHERE learner = ?", (nickname, number)


def answer_row(
    learner: int,
    film: int,
    answer: LearnerAnswer,
    judged: AnswerResult,
    places: PlaceGrid | None = None,
    *,
    second: bool = False,
) -> SqlRow:
    """Return the row of an answer and its result; `places` put a point into words, `second`: after seeing a model."""
    answer_text = json.dumps(answer_json(answer), ensure_ascii=False)
    values = learner, film, utc_now(), answer_text, answer_words(answer, places), json.dumps(result_payload(judged))
    return f"INSERT INTO {'second_answers' if second else 'answers'} VALUES (?, ?, ?, ?, ?, ?)", values


def ended_row() -> SqlRow:
    """Return the statement that ends the class."""
    return "UPDATE class SET ended = ?", (utc_now(),)


def result_payload(judged: AnswerResult) -> dict[str, object]:
    """Return an answer's result as JSON."""
    return {
        "right": judged.right,
        "sides": dict(judged.sides),
        "inside": judged.inside,
        "credit": judged.credit,
        "outcomes": {finding: str(outcome) for finding, outcome in judged.outcomes.items()},
    }


def utc_now() -> str:
    """Return the current time in UTC, to the second."""
    return iso(datetime.now(UTC))
