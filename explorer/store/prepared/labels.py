"""The labels of each finding: combined over sources, and by source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from explorer.cohorts.schema import LABELS, Label
from explorer.core.uncertainty import Policy
from explorer.store.cursor import Cursor

UNKNOWN = LABELS.index("unknown")
ROWS_AT_ONCE = 2**20  # labels read by a query, unless those of a single finding are more
READ: Mapping[Policy, Label] = MappingProxyType({"ignore": "uncertain", "zeros": "absent", "ones": "present"})
NOBODY = np.iinfo(np.int32).max  # the source of a row without labels, or with several sources


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Labels of one finding, arrays (rows,): one row per film as a whole, and one per source if there are several."""

    film: NDArray[np.int32]
    label: NDArray[np.uint8]  # index into LABELS
    source: NDArray[np.int32]  # index into the cohort's label sources, or NOBODY
    whole: NDArray[np.bool_]

    def on(self, scored: NDArray[np.int32], films: int) -> Labels:
        """Return the rows of the scored films, plus an unlabeled row for each film without labels."""
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
    """Combine several labels of a pair, as _agreed does in SQL."""
    said = set(labels)
    if {"present", "absent"} <= said:
        return "uncertain"
    return next((label for label in LABELS if label in said), "unknown")


def label_read(label: Label, policy: Policy) -> Label:
    """Return a label as a policy for uncertain labels counts it."""
    return READ[policy] if label == "uncertain" else label


def sql_label_read(policy: Policy) -> str:
    """Return SQL for the column `label` as a policy for uncertain labels counts it."""
    return "label" if policy == "ignore" else f"CASE label WHEN 'uncertain' THEN '{READ[policy]}' ELSE label END"


def label_number(neither: str, uncertain: Policy = "ignore") -> str:
    """Return SQL for the column `label` as a number: 1 present, 0 absent, else `neither`; see Policy for uncertain."""
    doubt = {"ignore": neither, "zeros": "0", "ones": "1"}[uncertain]
    return f"CASE label WHEN 'present' THEN 1 WHEN 'absent' THEN 0 WHEN 'uncertain' THEN {doubt} ELSE {neither} END"


def load_several(cursor: Cursor, cohort: str) -> None:
    """Create the table `several`: the labels of pairs with more than one source, or with none that counts.

    It is created once per cohort, because every model needs it.
    """
    pairs = f"SELECT film, finding FROM {cohort}.said GROUP BY ALL HAVING count(*) > 1 OR NOT bool_and(counts)"
    mine = f"(FROM {cohort}.said SEMI JOIN ({pairs}) USING (film, finding))"
    cursor.execute(
        f"""CREATE TABLE {cohort}.several AS
        WITH {whole_and_by_source(mine, "film, finding", f"{cohort}.label")}
        FROM whole_and_by_source ORDER BY finding, film"""
    )


def labels_by_finding(cursor: Cursor, cohort: str, findings: Sequence[str], films: int) -> Iterator[Labels]:
    """Yield the labels of each finding of a cohort of so many films, read for several findings at a time."""
    (named,) = cursor.row(f"SELECT enum_range(NULL::{cohort}.finding)::VARCHAR[]")
    codes = {finding: code for code, finding in enumerate(named)}
    step = max(1, ROWS_AT_ONCE // max(1, films))
    for some in (findings[start : start + step] for start in range(0, len(findings), step)):
        found = cursor.arrow(
            f"""SELECT enum_code(finding)::INTEGER AS finding, film, enum_code(label)::UTINYINT AS label,
                coalesce(enum_code(source)::INTEGER, {NOBODY}) AS source, whole
            FROM ({label_rows(cohort, f"finding IN ({', '.join('?' * len(some))})")}) ORDER BY finding""",
            [*some, *some],
        )
        ends = np.searchsorted(found["finding"].to_numpy(), np.arange(len(named) + 1))
        columns = [found[name].to_numpy() for name in ("film", "label", "source", "whole")]
        for finding in some:
            rows = slice(*ends[codes[finding] :][:2]) if finding in codes else slice(0)
            yield Labels(*(column[rows] for column in columns))


def label_rows(cohort: str, demand: str = "true") -> str:
    """Return SQL for the labels of a cohort's pairs that meet a condition; bind its parameters twice.

    One row per pair as a whole, and one per source not already covered by it: film, finding, label, source, whole.
    """
    return f"""WITH several AS (FROM {cohort}.several WHERE {demand}), alone AS (FROM {cohort}.said WHERE {demand})
        FROM several UNION ALL BY NAME
            (SELECT film, finding, label, source, true AS whole FROM alone ANTI JOIN several USING (film, finding))"""


def whole_and_by_source(rows: str, pair: str, label: str = "VARCHAR") -> str:
    """Return tables for an SQL WITH clause, made from `rows` (the columns of `pair`, label, source, counts).

    `whole_and_by_source` has a row per pair as a whole (`whole`), which combines the labels that count; its source is
    theirs if they share one, else NULL. In addition, it has a row for each source not already covered by that.
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
    """Return SQL that combines several labels of a pair; uncertain if both present and absent occur."""
    present, absent, uncertain = (f"bool_or({only}label = '{word}')" for word in ("present", "absent", "uncertain"))
    return f"""CASE WHEN {present} AND {absent} THEN 'uncertain'
    WHEN {present} THEN 'present' WHEN {absent} THEN 'absent'
    WHEN {uncertain} THEN 'uncertain' ELSE 'unknown' END"""
