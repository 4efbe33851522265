"""The answers of a class as a table with one row each; learners appear only by their nicknames."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.core.csv_table import Cells, csv_text
from explorer.school.classroom.kept_classes import class_database, has_table

_ROWS = """
SELECT nickname, film, simulated, cohort, "case", question, answers.words, answers.answer, answers.judged, answers.at,
    {again}
FROM answers JOIN learners USING (learner) JOIN films USING (film) {joined} ORDER BY film, learner
"""
_AGAIN = {
    "again": "second_answers.words, second_answers.answer, second_answers.judged, model",
    "joined": "LEFT JOIN second_answers USING (learner, film) "
    "LEFT JOIN (SELECT film, model FROM model_calls WHERE shown) USING (film)",
}
_NEVER_AGAIN = {"again": "NULL, NULL, NULL, NULL", "joined": ""}  # a class of an earlier version
ANSWER_COLUMNS = pa.schema(
    [
        ("class", pa.string()),
        ("nickname", pa.string()),
        ("film", pa.int32()),
        ("films", pa.string()),
        ("cohort", pa.string()),
        ("case", pa.string()),
        ("question", pa.string()),
        ("answer", pa.string()),
        ("sure", pa.int32()),
        ("right", pa.int32()),
        ("outcomes", pa.string()),
        ("sides", pa.string()),
        ("inside", pa.int32()),
        ("answered_utc", pa.timestamp("s", tz="UTC")),
        ("model_shown", pa.string()),
        ("answer_again", pa.string()),
        ("sure_again", pa.int32()),
        ("right_again", pa.int32()),
    ]
)


def answer_rows(name: str, folder: Path | None = None) -> list[Cells]:
    """Return the rows, by film and learner. Films are numbered from 1; `right` and `inside` are 1, 0 or None (unknown).

    `answer_again` was given after seeing `model_shown`. Raises ClassRefusal.
    """
    with class_database(name, folder) as database:
        parts = _AGAIN if has_table(database, "second_answers") else _NEVER_AGAIN
        return [_cells(name, *row) for row in database.execute(_ROWS.format(**parts))]


def class_csv(name: str, folder: Path | None = None) -> str:
    """Return the answers as CSV without formulas that a spreadsheet would run. Raises ClassRefusal."""
    return csv_text(ANSWER_COLUMNS.names, answer_rows(name, folder))


def write_class_parquet(name: str, target: Path, folder: Path | None = None) -> None:
    """Save the answers as a Parquet file. Raises ClassRefusal, OSError."""
    rows: list[dict[str, object]] = [{**row, "answered_utc": _moment(row)} for row in answer_rows(name, folder)]
    pq.write_table(pa.Table.from_pylist(rows, ANSWER_COLUMNS), target, compression="zstd")


def _cells(
    name: str,
    nickname: str,
    film: int,
    simulated: int,
    cohort: str,
    case: str,
    question: str,
    words: str,
    answer: str,
    judged: str,
    at: str,
    words_again: str | None,
    answer_again: str | None,
    judged_again: str | None,
    model: str | None,
) -> Cells:
    result = json.loads(judged)
    again: Cells = {
        "model_shown": model,
        "answer_again": words_again,
        "sure_again": None if answer_again is None else json.loads(answer_again)["sure"],
        "right_again": None if judged_again is None else _flag(json.loads(judged_again)["right"]),
    }
    return again | {
        "class": name,
        "nickname": nickname,
        "film": film + 1,
        "films": "SIMULATED" if simulated else "real",
        "cohort": cohort,
        "case": case,
        "question": question,
        "answer": words,
        "sure": json.loads(answer)["sure"],
        "right": _flag(result["right"]),
        "outcomes": "; ".join(f"{finding}: {outcome}" for finding, outcome in result["outcomes"].items()),
        "sides": "; ".join(f"{finding}: {'right' if ok else 'wrong'} side" for finding, ok in result["sides"].items()),
        "inside": _flag(result["inside"]),
        "answered_utc": at,
    }


def _flag(known: bool | None) -> int | None:
    return None if known is None else int(known)


def _moment(row: Cells) -> datetime:
    return datetime.fromisoformat(str(row["answered_utc"]))
