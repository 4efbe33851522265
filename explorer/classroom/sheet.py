"""A learner's own sheet: of the films that are revealed to the learner, what was answered and what is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

from explorer.classroom.learners import Learner
from explorer.classroom.session import Session
from explorer.core.csv_table import Cells, csv_text
from explorer.teaching.answer import SURE_WORDS
from explorer.teaching.answer_words import answer_words, truth_words
from explorer.teaching.question_words import question_words
from explorer.teaching.result_table_payload import ResultTablePayload, own_table_payload
from explorer.teaching.results import Answered
from explorer.teaching.tally import RightPayload, rights_payload

RIGHT_WORDS = {True: "yes", False: "no", None: ""}


class RowPayload(TypedDict):
    """A film: question, answer, how sure and truth in words; `right` is null where no answer can be judged."""

    film: int
    question: str
    answer: str
    sure: str
    truth: str
    right: bool | None


class SheetPayload(TypedDict):
    """The sheet; `again` are the films whose answer was wrong, `table` counts by finding and frequency group."""

    title: str
    rows: list[RowPayload]
    right: RightPayload
    again: list[int]
    table: ResultTablePayload


def sheet(session: Session, learner: Learner) -> SheetPayload:
    """A learner's sheet as it is now."""
    with session.lock:
        revealed = session.revealed_to(learner)
        rows = [_row(session, learner, film) for film in revealed]
        given = [
            Answered(learner.nickname, film, learner.answers[film].answer)
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
    """The same as a table; films are numbered from 1, as the page numbers them."""
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


def _row(session: Session, learner: Learner, film: int) -> RowPayload:
    shown, given = session.films[film], learner.answers.get(film)
    return {
        "film": film,
        "question": question_words(shown.asked.question),
        "answer": "" if given is None else answer_words(given.answer),
        "sure": "" if given is None else SURE_WORDS[given.answer.sure],
        "truth": truth_words(shown.asked.question, shown.truth, shown.asked.target),
        "right": None if given is None else given.judged.right,
    }
