"""What of a class is written to its database, row by row. Of a learner that is the nickname and the answers alone."""

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
    """The class itself and the films asked about."""
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
    """A learner; neither when nor from where the class was joined."""
    return "INSERT INTO learners VALUES (?, ?)", (number, nickname)


def deleted_rows(number: int) -> tuple[Row, ...]:
    """A learner is removed, with every answer."""
    return tuple((f"DELETE FROM {table} WHERE learner = ?", (number,)) for table in ("answers", "learners"))


def renamed_row(number: int, nickname: str) -> Row:
    """A learner is removed, the answers stay without the nickname."""
    return "UPDATE learners SET nickname = ? WHERE learner = ?", (nickname, number)


def answer_row(learner: int, film: int, answer: Answer, judged: Judged) -> Row:
    """An answer and what it came to."""
    said = json.dumps(answer_json(answer), ensure_ascii=False)
    values = learner, film, now(), said, answer_words(answer), json.dumps(judged_payload(judged))
    return "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?)", values


def ended_row() -> Row:
    """The class has ended."""
    return "UPDATE class SET ended = ?", (now(),)


def judged_payload(judged: Judged) -> dict[str, object]:
    """What an answer came to, as JSON."""
    return {
        "right": judged.right,
        "sides": dict(judged.sides),
        "inside": judged.inside,
        "credit": judged.credit,
        "outcomes": {finding: str(outcome) for finding, outcome in judged.outcomes.items()},
    }


def now() -> str:
    """The moment in UTC, to the second."""
    return iso(datetime.now(UTC))
