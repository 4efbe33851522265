"""Who disagrees with whom, and on which finding: each reader with the others, and pairs, by finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.csv_table import Cells
from explorer.core.reader_study import reader_name
from explorer.core.text_grid import TextGrid
from explorer.core.word_lists import and_list
from explorer.metrics.agreement import majority_of_others
from explorer.metrics.agreement_interval import against_majority, pairwise
from explorer.school.reviews.agreement_cells import agreement_cells, agreement_text
from explorer.school.reviews.ratings import Ratings

MAX_PAIRED = 5  # readers in the table of pairs by finding: ten pairs


def reader_rows(ratings: Ratings, resamples: int) -> list[Cells]:
    """Return the kappa of each reader with the majority of the others, by finding; ties of the others are left out."""
    if ratings.readers < 2:
        return []
    rows: list[Cells] = []
    for place, finding in enumerate(ratings.review.findings):
        given = ratings.present[:, :, place]
        others = majority_of_others(given)
        for reader, found in enumerate(against_majority(given, resamples=resamples)):
            row: Cells = {"part": "reader by finding", "name": reader_name(reader), "finding": finding}
            row |= {"films": found.n, "differ": _differ(given[:, reader], others[:, reader])}
            rows.append(row | agreement_cells("kappa_others", found))
    return [row for row in rows if row["films"]]


def pair_rows(ratings: Ratings, resamples: int) -> list[Cells]:
    """Return the kappa of each pair of readers by finding; of many readers, for those who differ most from others."""
    if ratings.readers < 2:
        return []
    readers, rows = _paired(ratings), []
    for place, finding in enumerate(ratings.review.findings):
        given = ratings.present[:, readers, place]
        for (one, other), found in pairwise(given, resamples=resamples).items():
            name = f"{reader_name(readers[one])} and {reader_name(readers[other])}"
            row: Cells = {"part": "pair by finding", "name": name, "finding": finding}
            row |= {"films": found.n, "differ": _differ(given[:, one], given[:, other])}
            rows.append(row | agreement_cells("kappa", found))
    return [row for row in rows if row["films"]]


def grids_by_finding(ratings: Ratings, readers: Sequence[Cells], pairs: Sequence[Cells]) -> Iterator[TextGrid]:
    """Yield both as tables, the findings in the review's order."""
    if readers:
        header = ("finding", "reader", "films", "kappa with the others", "differs on")
        rows = tuple(_words(row, "kappa_others") for row in readers)
        yield TextGrid("Each reader, by finding", header, rows, counts=2)
    if pairs:
        header = ("finding", "readers", "films", "kappa", "differ on")
        left = ratings.readers > MAX_PAIRED
        who = and_list([reader_name(reader) for reader in _paired(ratings)])
        notes = (f"Only pairs of {who}, who differ most from the others.",) if left else ()
        rows = tuple(_words(row, "kappa") for row in pairs)
        yield TextGrid("Pairs of readers, by finding", header, rows, counts=2, notes=notes)


def _paired(ratings: Ratings) -> list[int]:
    """Return the readers whose pairs are counted by finding: those with the largest share of labels unlike the others'.

    All of them, in order, if there are few.
    """
    if ratings.readers <= MAX_PAIRED:
        return list(range(ratings.readers))
    films, readers, findings = ratings.present.shape
    flat = ratings.present.transpose(0, 2, 1).reshape(films * findings, readers)
    others = majority_of_others(flat)
    both = ~np.isnan(flat) & ~np.isnan(others)
    share = (both & (flat != others)).sum(0) / np.maximum(both.sum(0), 1)
    return sorted(int(reader) for reader in np.argsort(-share, kind="stable")[:MAX_PAIRED])


def _differ(one: Floats, other: Floats) -> int:
    """Return on how many films two ratings (films,) differ, where there are both."""
    return int(((one != other) & ~np.isnan(one) & ~np.isnan(other)).sum())


def _words(row: Cells, key: str) -> tuple[str, ...]:
    films, differ = int(row["films"] or 0), int(row["differ"] or 0)
    return str(row["finding"]), str(row["name"]), f"{films:,}", agreement_text(row, key), f"{differ:,} of {films:,}"
