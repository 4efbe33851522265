"""Reads readers' calls and ratings of a cohort's films from a CSV file: one row for each opinion.

Columns: reader, case, and call (1 or 0), rating (a number, higher is more likely) or both; finding if there are
several; modality, such as "with AI", if a reader reads twice. A reader study's own CSV is such a file: its rows of the
truth (reader -1) and of models (reader and modality are the same) are skipped.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from explorer.core.reader_study import TRUTH_READER
from explorer.tabular.csv_rows import csv_rows
from explorer.tabular.problems import WrongInput

CASE_NAMES = ("case", "image", "image_id", "film", "id")
CALLS = {"1": True, "yes": True, "present": True, "0": False, "no": False, "absent": False}
MAX_READER_CHARS = 80


@dataclass(frozen=True, slots=True)
class ReaderOpinion:
    """One row: a reader's call (None: only rated) and rating (None: only called) about a finding, by its word."""

    line: int
    reader: str
    case: str
    finding: str
    call: bool | None
    rating: float | None


@dataclass(frozen=True, slots=True)
class ReaderOpinions:
    """The rows of a file; `skipped` counts rows of the truth and of models."""

    rows: tuple[ReaderOpinion, ...]
    skipped: int


def read_reader_opinions(path: Path, finding: str | None = None, present_from: float | None = None) -> ReaderOpinions:
    """Return the opinions in a file. Raises WrongInput.

    `finding` is what all rows are about if they do not say; a rating of at least `present_from` is a call of present.
    """
    with csv_rows(path) as table:
        columns = _columns([name.strip().lower() for name in table.names], path, finding)
        rows: list[ReaderOpinion] = []
        seen: dict[tuple[str, str, str], int] = {}
        skipped = 0
        for line, cells in table.rows:
            row = {name: cells[place].strip() if place < len(cells) else "" for name, place in columns.items()}
            if row["reader"] == TRUTH_READER or (row["reader"] and row["reader"] == row.get("modality")):
                skipped += 1
                continue
            made = _opinion(line, row, finding, present_from, path)
            first = seen.setdefault((made.reader, made.case, made.finding), line)
            if first != line:
                raise WrongInput(
                    f"{path}, line {line}: {made.reader} already rated {made.finding} on {made.case}, on line {first}. "
                    "Remove one."
                )
            rows.append(made)
    return ReaderOpinions(tuple(rows), skipped)


def _columns(names: Sequence[str], path: Path, finding: str | None) -> dict[str, int]:
    """Return the place of each column, `case` under any of its names. Raises WrongInput."""
    case = next((name for name in CASE_NAMES if name in names), None)
    lacking = [*(["reader"] if "reader" not in names else []), *(["case"] if case is None else [])]
    if "call" not in names and "rating" not in names:
        lacking.append("call or rating")
    if "finding" not in names and finding is None:
        lacking.append("finding (or the option --finding)")
    if lacking or case is None:
        raise WrongInput(f"{path} has no column {', no column '.join(lacking)}. Name the columns in its first line.")
    known = [name for name in ("reader", "finding", "call", "rating", "modality") if name in names]
    return {"case": names.index(case), **{name: names.index(name) for name in known}}


def _opinion(
    line: int, row: Mapping[str, str], finding: str | None, present_from: float | None, path: Path
) -> ReaderOpinion:
    if not row["reader"] or not row["case"] or len(row["reader"]) > MAX_READER_CHARS:
        raise WrongInput(f"{path}, line {line}: name a reader, by a code of up to {MAX_READER_CHARS}, and a case.")
    about = row.get("finding") or finding
    if not about:
        raise WrongInput(f"{path}, line {line}: no finding is named. Name one, or give --finding.")
    rating = _rating(row.get("rating", ""), line, path)
    call = _call(row.get("call", ""), line, path)
    if call is None and rating is not None and present_from is not None:
        call = rating >= present_from
    if call is None and rating is None:
        raise WrongInput(f"{path}, line {line}: there is neither a call nor a rating. Remove the row, or fill it in.")
    modality = row.get("modality", "")
    reader = f"{row['reader']}, {modality}" if modality else row["reader"]
    return ReaderOpinion(line, reader, row["case"], about, call, rating)


def _rating(text: str, line: int, path: Path) -> float | None:
    if not text:
        return None
    try:
        rating = float(text)
    except ValueError:
        rating = math.nan
    if not math.isfinite(rating):
        raise WrongInput(f"{path}, line {line}: {text!r} is not a rating. Write a number.")
    return rating


def _call(text: str, line: int, path: Path) -> bool | None:
    if not text:
        return None
    if text.lower() not in CALLS:
        raise WrongInput(f"{path}, line {line}: {text!r} is not a call. Write 1 for present or 0 for absent.")
    return CALLS[text.lower()]
