"""Reads a reader study from a file in iMRMC's format: who rated which case, in which modality, and the truth.

A row is reader, case, modality, rating; rows of the reader -1 give a case's truth, 0 or 1. Everything above the line
BEGIN DATA is a remark. The same rows as CSV, below a header, are read too. iMRMC is FDA's program for such studies
(github.com/DIDSR/iMRMC).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from explorer.core.reader_study import BEGIN, STUDY_COLUMNS, TRUTH_READER, ReaderStudy
from explorer.core.word_lists import quantity
from explorer.tabular.csv_rows import NumberedRow, csv_rows
from explorer.tabular.problems import WrongInput

_EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class _Rating:
    line: int
    reader: str
    case: str
    modality: str
    value: float


def read_reader_study(path: Path) -> ReaderStudy:
    """Return the study in a file. Raises WrongInput, also if not every reader rated every case in every modality."""
    rows = list(_imrmc_rows(path) if _has_begin(path) else _table_rows(path))
    truth = _truth([row for row in rows if row.reader == TRUTH_READER], path)
    given = _by_place([row for row in rows if row.reader != TRUTH_READER], truth, path)
    if not given:
        raise WrongInput(f"{path} has no rating. Give one row for each rating: {', '.join(STUDY_COLUMNS)}.")
    modalities_of: dict[str, set[str]] = {}
    readers_of: dict[str, set[str]] = {}
    for reader, _, modality in given:
        modalities_of.setdefault(reader, set()).add(modality)
        readers_of.setdefault(modality, set()).add(reader)
    models = [each for each, who in readers_of.items() if len(who) == 1 and modalities_of[next(iter(who))] == {each}]
    modalities = tuple(each for each in readers_of if each not in models)
    readers = tuple(each for each, what in modalities_of.items() if not what <= set(models))
    cases = tuple(truth)
    wanted = [*product(modalities, readers), *((each, next(iter(readers_of[each]))) for each in models)]
    _check_complete(wanted, cases, given, path)
    scores = {
        (modality, reader): np.array([given[reader, case, modality].value for case in cases])
        for modality, reader in wanted
    }
    return ReaderStudy(
        modalities,
        readers,
        cases,
        np.array(list(truth.values())),
        np.array([[scores[modality, reader] for reader in readers] for modality in modalities]),
        {each: scores[each, next(iter(readers_of[each]))] for each in models},
    )


def _has_begin(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return any(line.strip().upper().startswith(BEGIN) for line in file)
    except OSError as error:
        raise WrongInput(f"{path} cannot be read: {error.strerror}.") from error


def _imrmc_rows(path: Path) -> Iterator[_Rating]:
    with path.open(encoding="utf-8", errors="replace") as file:
        lines = enumerate(file, 1)
        for _, line in lines:
            if line.strip().upper().startswith(BEGIN):
                break
        for number, line in lines:
            if line.strip():
                yield _rating((number, line.split(",")), (0, 1, 2, 3), path)


def _table_rows(path: Path) -> Iterator[_Rating]:
    with csv_rows(path) as table:
        names = [name.strip().lower() for name in table.names]
        lacking = [name for name in STUDY_COLUMNS if name not in names]
        if lacking:
            raise WrongInput(
                f"{path} has no column {', '.join(lacking)}. Give the columns {', '.join(STUDY_COLUMNS)}, or "
                "iMRMC's format."
            )
        places = tuple(names.index(name) for name in STUDY_COLUMNS)
        for row in table.rows:
            yield _rating(row, places, path)


def _rating(row: NumberedRow, places: tuple[int, ...], path: Path) -> _Rating:
    line, cells = row
    if len(cells) <= max(places):
        raise WrongInput(f"{path}, line {line}: {len(cells)} cells. Write {', '.join(STUDY_COLUMNS)}.")
    reader, case, modality, text = (cells[place].strip() for place in places)
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise WrongInput(f"{path}, line {line}: {text!r} is not a rating. Write a number.")
    return _Rating(line, reader, case, modality, value)


def _truth(rows: list[_Rating], path: Path) -> dict[str, int]:
    truth: dict[str, int] = {}
    for row in rows:
        if row.value not in (0, 1):
            raise WrongInput(f"{path}, line {row.line}: the truth of case {row.case} is neither 0 nor 1.")
        if truth.setdefault(row.case, int(row.value)) != row.value:
            raise WrongInput(f"{path}, line {row.line}: case {row.case} already has another truth. Remove one.")
    if Counter(truth.values()).keys() != {0, 1}:
        raise WrongInput(
            f"{path} needs cases with the finding and cases without. State the truth of each in a row of reader "
            f"{TRUTH_READER}: {TRUTH_READER}, case, 0, 0 or 1."
        )
    return truth


def _by_place(rows: list[_Rating], truth: Mapping[str, int], path: Path) -> dict[tuple[str, str, str], _Rating]:
    given: dict[tuple[str, str, str], _Rating] = {}
    for row in rows:
        if row.case not in truth:
            raise WrongInput(
                f"{path}, line {row.line}: case {row.case} has no truth. Add a row of reader {TRUTH_READER}."
            )
        other = given.setdefault((row.reader, row.case, row.modality), row)
        if other is not row:
            raise WrongInput(
                f"{path}, line {row.line}: reader {row.reader} already rated case {row.case} in modality "
                f"{row.modality}, on line {other.line}. Remove one."
            )
    return given


def _check_complete(
    wanted: list[tuple[str, str]],
    cases: tuple[str, ...],
    given: Mapping[tuple[str, str, str], _Rating],
    path: Path,
) -> None:
    missing = [
        f"reader {reader}, case {case}, modality {modality}"
        for modality, reader in wanted
        for case in cases
        if (reader, case, modality) not in given
    ]
    if missing:
        raise WrongInput(
            f"{path} lacks {quantity(len(missing), 'rating')}, first {'; '.join(missing[:_EXAMPLES])}. Every reader "
            "rates every case in every modality: leave the others out."
        )
