"""A reader study: readers, and perhaps models, rated the same cases, each of them every case.

iMRMC is FDA's program for such studies (github.com/DIDSR/iMRMC); its format and CSV hold the same rows.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats

BEGIN = "BEGIN DATA"
TRUTH_READER = "-1"
STUDY_COLUMNS = ("reader", "case", "modality", "rating")


def reader_name(reader: int) -> str:
    """Return how a reader, counted from 0, appears: R1, R2, ..., neither a name nor a code that opens their work."""
    return f"R{reader + 1}"


@dataclass(frozen=True, slots=True, eq=False)
class ReaderStudy:
    """Ratings (modalities, readers, cases) with the truth (cases,) of the cases: 1 with the finding, 0 without.

    `models` are modalities with one reader, who reads in no other: scores (cases,) by name.
    """

    modalities: tuple[str, ...]
    readers: tuple[str, ...]
    cases: tuple[str, ...]
    truth: NDArray[np.int64]
    ratings: Floats
    models: Mapping[str, Floats]


@dataclass(frozen=True, slots=True)
class ReaderRating:
    """One rating; higher means that the finding is more likely."""

    reader: str
    case: str
    modality: str
    value: float


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A reader, case or model that is left out: it has `rated` of the `wanted` ratings that its study needed."""

    name: str
    rated: int
    wanted: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a complete study had to leave out, in the order in which it was left out."""

    readers: tuple[Incomplete, ...] = ()
    cases: tuple[Incomplete, ...] = ()
    models: tuple[Incomplete, ...] = ()


def complete_study(
    ratings: Iterable[ReaderRating], truth: Mapping[str, int], models: Mapping[str, Mapping[str, float]]
) -> tuple[ReaderStudy, LeftOut]:
    """Return the study of those readers and cases that have every rating, and what is left out.

    Of readers and cases, the one that lacks the largest share of its ratings is left out, until none lacks any. A model
    without a score of each remaining case is left out, too. No rating is filled in. The study may be empty.
    """
    given = {(each.modality, each.reader, each.case): each.value for each in ratings}
    modalities, readers = (tuple(dict.fromkeys(key[place] for key in given)) for place in (0, 1))
    seen = {case for _, _, case in given}
    cases = [case for case in truth if case in seen]
    rated = np.array(
        [[[(each, reader, case) in given for case in cases] for reader in readers] for each in modalities], dtype=bool
    ).reshape(len(modalities), len(readers), len(cases))
    kept_readers, kept_cases, left = _complete(rated.sum(0), len(modalities), readers, cases)
    scores, lacking = _model_scores(models, kept_cases)
    study = ReaderStudy(
        modalities,
        tuple(kept_readers),
        tuple(kept_cases),
        np.array([truth[case] for case in kept_cases], dtype=np.int64),
        np.array(
            [[[given[each, reader, case] for case in kept_cases] for reader in kept_readers] for each in modalities]
        ),
        scores,
    )
    return study, LeftOut(left.readers, left.cases, lacking)


def _complete(
    rated: NDArray[np.int64], modalities: int, readers: Sequence[str], cases: Sequence[str]
) -> tuple[list[str], list[str], LeftOut]:
    """Return the readers and cases that remain; `rated` (readers, cases) counts the modalities with a rating."""
    rows, columns = list(range(len(readers))), list(range(len(cases)))
    left_readers: list[Incomplete] = []
    left_cases: list[Incomplete] = []
    while rows and columns and (rated[np.ix_(rows, columns)] < modalities).any():
        here = rated[np.ix_(rows, columns)]
        by_reader, by_case = here.mean(1), here.mean(0)
        if by_reader.min() <= by_case.min():
            place = int(by_reader.argmin())
            left_readers.append(
                Incomplete(readers[rows.pop(place)], int(here[place].sum()), modalities * here.shape[1])
            )
        else:
            place = int(by_case.argmin())
            wanted = modalities * here.shape[0]
            left_cases.append(Incomplete(cases[columns.pop(place)], int(here[:, place].sum()), wanted))
    return (
        [readers[place] for place in rows],
        [cases[place] for place in columns],
        LeftOut(tuple(left_readers), tuple(left_cases)),
    )


def _model_scores(
    models: Mapping[str, Mapping[str, float]], cases: Sequence[str]
) -> tuple[dict[str, Floats], tuple[Incomplete, ...]]:
    scores: dict[str, Floats] = {}
    lacking: list[Incomplete] = []
    for name, by_case in models.items():
        scored = sum(case in by_case for case in cases)
        if scored == len(cases):
            scores[name] = np.array([by_case[case] for case in cases], dtype=np.float64)
        else:
            lacking.append(Incomplete(name, scored, len(cases)))
    return scores, tuple(lacking)


def imrmc_text(study: ReaderStudy, title: str) -> str:
    """Return the study in iMRMC's format; a model is its own only reader, and commas in names become semicolons."""
    without, found = (int((study.truth == each).sum()) for each in (0, 1))
    head = (
        title,
        f"NR: {len(study.readers) + len(study.models)}",
        f"N0: {without}",
        f"N1: {found}",
        f"NM: {len(study.modalities) + len(study.models)}",
        f"{BEGIN}:",
    )
    rows = (",".join(cell.replace(",", ";") for cell in row) for row in _rows(study, "0"))
    return "\n".join((*head, *rows)) + "\n"


def reader_study_csv(study: ReaderStudy) -> str:
    """Return the study's rows as CSV: reader, case, modality, rating. Rows of the reader -1 state the truth."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(STUDY_COLUMNS)
    writer.writerows(_rows(study, "truth"))
    return text.getvalue()


def _rows(study: ReaderStudy, truth_modality: str) -> Iterator[tuple[str, str, str, str]]:
    for case, truth in zip(study.cases, study.truth.tolist(), strict=True):
        yield TRUTH_READER, case, truth_modality, str(truth)
    for modality, by_reader in zip(study.modalities, study.ratings, strict=True):
        for reader, ratings in zip(study.readers, by_reader, strict=True):
            yield from _ratings_of(reader, modality, study.cases, ratings)
    for model, scores in study.models.items():
        yield from _ratings_of(model, model, study.cases, scores)


def _ratings_of(
    reader: str, modality: str, cases: Sequence[str], ratings: Floats
) -> Iterator[tuple[str, str, str, str]]:
    for case, value in zip(cases, ratings.tolist(), strict=True):
        yield reader, case, modality, repr(value)
