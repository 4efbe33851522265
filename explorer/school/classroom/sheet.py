"""A learner's own sheet: their answers to the films revealed to them, and the truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from explorer.core.csv_table import Cells, csv_text
from explorer.school.classroom.learners import Learner
from explorer.school.classroom.session import Session
from explorer.school.judging.answer import CERTAINTY_WORDS
from explorer.school.judging.answer_words import answer_words, truth_words
from explorer.school.judging.result_table_payload import ResultTablePayload, own_table_payload
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.judging.tally import RightPayload, rights_payload
from explorer.school.playlists.question_words import question_words

RIGHT_WORDS = {True: "yes", False: "no", None: ""}


class SheetRowPayload(TypedDict):
    """A film: question, answer, certainty and truth in words; `right` is null if it cannot be judged."""

    film: int
    question: str
    answer: str
    sure: str
    truth: str
    right: bool | None


class SheetPayload(TypedDict):
    """The sheet; `again` are the wrongly answered films, `table` counts by finding and frequency group."""

    title: str
    rows: list[SheetRowPayload]
    right: RightPayload
    again: list[int]
    table: ResultTablePayload


def sheet_payload(session: Session, learner: Learner) -> SheetPayload:
    """Return the learner's sheet as it is now."""
    with session.lock:
        revealed = session.films_revealed_to(learner)
        rows = [_row(session, learner, film) for film in revealed]
        given = [
            LearnerFilmAnswer(learner.nickname, film, learner.answers[film].answer)
            for film in revealed
            if film in learner.answers
        ]
    return {
        "title": session.prepared.playlist.title,
        "rows": rows,
        "right": rights_payload([row["right"] for row in rows]),
        "again": [row["film"] for row in rows if row["right"] is False],
        "table": own_table_payload(session.films, given),
    }


def sheet_csv(made: SheetPayload) -> str:
    """Return the sheet as CSV; films are numbered from 1, as on the page."""
    lines: Iterator[Cells] = (
        {
            "film": row["film"] + 1,
            "question": row["question"],
            "answer": row["answer"],
            "sure": row["sure"],
            "truth": row["truth"],
            "right": RIGHT_WORDS[row["right"]],
        }
        for row in made["rows"]
    )
    return csv_text(("film", "question", "answer", "sure", "truth", "right"), lines)


def _row(session: Session, learner: Learner, film: int) -> SheetRowPayload:
    shown, given = session.films[film], learner.answers.get(film)
    return {
        "film": film,
        "question": question_words(shown.entry.question),
        "answer": "" if given is None else answer_words(given.answer, shown.places),
        "sure": "" if given is None else CERTAINTY_WORDS[given.answer.sure],
        "truth": truth_words(shown.entry.question, shown.truth, shown.entry.target),
        "right": None if given is None else given.judged.right,
    }
