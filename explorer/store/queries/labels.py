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
    """What several labels of a pair are together, as _agreed says it in SQL."""
    said = set(labels)
    if {"present", "absent"} <= said:
        return "uncertain"
    return next((label for label in LABELS if label in said), "unknown")


def load_several(cursor: Cursor, cohort: str) -> None:
    """Make the table `several` of a cohort: what its sources say of a pair, where more than one does or none counts.

    Once for the cohort, for every model asks it.
    """
    pairs = f"SELECT film, finding FROM {cohort}.said GROUP BY ALL HAVING count(*) > 1 OR NOT bool_and(counts)"
    mine = f"(FROM {cohort}.said SEMI JOIN ({pairs}) USING (film, finding))"
    cursor.execute(
        f"""CREATE TABLE {cohort}.several AS
        WITH {whole_and_by_source(mine, "film, finding", f"{cohort}.label")}
        FROM whole_and_by_source ORDER BY finding, film"""
    )


def labels_of(cursor: Cursor, cohort: str, finding: str) -> Labels:
    """The labels of a finding."""
    found = cursor.arrow(
        f"""SELECT film, enum_code(label)::UTINYINT AS label, coalesce(enum_code(source)::INTEGER, {NOBODY}) AS source,
            whole
        FROM ({label_rows(cohort, "finding = ?")})""",
        [finding, finding],
    )
    return Labels(*(found[name].to_numpy() for name in ("film", "label", "source", "whole")))


def label_rows(cohort: str, demand: str = "true") -> str:
    """SQL: what is said of a cohort's pairs that meet a demand, whose parameters are bound twice.

    A row for a pair as a whole, and for each source that is not told so: film, finding, label, source, whole.
    """
    return f"""WITH several AS (FROM {cohort}.several WHERE {demand}), alone AS (FROM {cohort}.said WHERE {demand})
        FROM several UNION ALL BY NAME
            (SELECT film, finding, label, source, true AS whole FROM alone ANTI JOIN several USING (film, finding))"""


def whole_and_by_source(rows: str, pair: str, label: str = "VARCHAR") -> str:
    """Tables of SQL after WITH, made of `rows` (the columns of `pair`, label, source, counts).

    `whole_and_by_source` has a row for each pair as a whole (`whole`), of the labels that count: its source where they
    are one source's, NULL where they are several's or nobody's. Beside it, a row for each source that is not told so.
    """
    return f"""mine AS {rows},
together AS (
    SELECT {pair}, {_agreed("counts AND ")}::{label} AS label,
        CASE count(DISTINCT source) FILTER (counts) WHEN 1 THEN any_value(source) FILTER (counts) END AS source,
        true AS whole
    FROM mine GROUP BY ALL
),
by_source AS (
    SELECT {pair}, {_agreed()}::{label} AS label, source, false AS whole
    FROM mine ANTI JOIN together USING ({pair}, source) GROUP BY ALL
),
whole_and_by_source AS (
    FROM together UNION ALL BY NAME FROM by_source
)"""


def _agreed(only: str = "") -> str:
    """SQL: what several labels of a pair agree on; uncertain where one says present and another absent."""
    present, absent, uncertain = (f"bool_or({only}label = '{word}')" for word in ("present", "absent", "uncertain"))
    return f"""CASE WHEN {present} AND {absent} THEN 'uncertain'
    WHEN {present} THEN 'present' WHEN {absent} THEN 'absent'
    WHEN {uncertain} THEN 'uncertain' ELSE 'unknown' END"""
