"""The labels of one finding, those of several sources together and each for itself."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.schema import LABELS, Label
from explorer.store.queries.cursor import Cursor

UNKNOWN = LABELS.index("unknown")
NOBODY = np.iinfo(np.int32).max  # the source where there is no label, or more than one source
# Of several labels of a pair: what they agree on; uncertain where one says present and another absent.
TOGETHER = """CASE WHEN bool_or(label = 'present') AND bool_or(label = 'absent') THEN 'uncertain'
    WHEN bool_or(label = 'present') THEN 'present' WHEN bool_or(label = 'absent') THEN 'absent'
    WHEN bool_or(label = 'uncertain') THEN 'uncertain' ELSE 'unknown' END"""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Labels of one finding, each array (rows,): a row for a film as a whole, and for each source where it has many."""

    film: NDArray[np.int32]
    label: NDArray[np.uint8]  # place in LABELS
    source: NDArray[np.int32]  # place among the cohort's label sources, or NOBODY
    whole: NDArray[np.bool_]

    def on(self, scored: NDArray[np.int32], films: int) -> Labels:
        """The rows of the scored films alone, with one of no label for those that nobody labeled."""
        is_scored = np.zeros(films, bool)
        is_scored[scored] = True
        kept = is_scored[self.film]
        is_scored[self.film] = False
        bare = np.flatnonzero(is_scored).astype(np.int32)
        return Labels(
            np.concatenate([self.film[kept], bare]),
            np.concatenate([self.label[kept], np.full(len(bare), UNKNOWN, np.uint8)]),
            np.concatenate([self.source[kept], np.full(len(bare), NOBODY, np.int32)]),
            np.concatenate([self.whole[kept], np.ones(len(bare), bool)]),
        )


def together(labels: Iterable[Label]) -> Label:
    """What several labels of a pair are together, as TOGETHER says it in SQL."""
    said = set(labels)
    if {"present", "absent"} <= said:
        return "uncertain"
    return next((label for label in LABELS if label in said), "unknown")


def labels_of(cursor: Cursor, cohort: str, finding: str) -> Labels:
    """The labels of a finding."""
    found = _labels(cursor, f"SELECT *, true AS whole FROM {cohort}.said WHERE finding = ?", finding)
    if len(found.film) and np.bincount(found.film).max() > 1:
        return _labels(cursor, _several(cohort), finding)
    return found


def _labels(cursor: Cursor, rows: str, finding: str) -> Labels:
    found = cursor.arrow(
        f"""SELECT film, enum_code(label)::UTINYINT AS label, coalesce(enum_code(source)::INTEGER, {NOBODY}) AS source,
            whole FROM ({rows})""",
        [finding],
    )
    return Labels(*(found[name].to_numpy() for name in ("film", "label", "source", "whole")))


def _several(cohort: str) -> str:
    return f"""WITH mine AS (
        SELECT film, label, source FROM {cohort}.said WHERE finding = ?
    ), together AS (
        SELECT film, ({TOGETHER})::{cohort}.label AS label,
            CASE count(DISTINCT source) WHEN 1 THEN any_value(source) END AS source, true AS whole
        FROM mine GROUP BY film
    ), by_source AS (
        SELECT film, ({TOGETHER})::{cohort}.label AS label, source, false AS whole
        FROM mine SEMI JOIN (FROM together WHERE source IS NULL) USING (film) GROUP BY ALL
    )
    FROM together UNION ALL BY NAME FROM by_source"""
