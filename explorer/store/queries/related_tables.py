"""Pairs of a model on which another model is also wrong, or disagrees: `pairs` with `relation`.

Only the other model's calls are needed, and only temporarily.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from explorer.cohorts.layout import Folder
from explorer.store.filter_registry import RELATIONS
from explorer.store.queries.cohort_tables import Numbers, enum
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.model_tables import FilmColumns
from explorer.store.queries.scores import film_cuts, read_cuts, read_scores
from explorer.store.queries.tables import Tables


def load_related(cursor: Cursor, schema: str, one: Tables, folder: Folder, other: str, shards: Sequence[Path]) -> None:
    """Create the table in a new schema from the shards of the other model. Raises DamagedCohort."""
    scores = read_scores(folder, other, shards, Numbers(cursor, f"{one.cohort}.cases"))
    films, cuts = FilmColumns.of(cursor, one.cohort), read_cuts(folder, other)
    cursor.execute(f"CREATE SCHEMA {schema}")
    enum(cursor, f"{schema}.relation", RELATIONS)
    cursor.execute(
        f"CREATE TABLE {schema}.pairs AS SELECT *, NULL::{schema}.relation AS relation FROM {one.pairs} LIMIT 0"
    )
    for finding, values in zip(scores.findings, scores.values, strict=True):
        if finding in one.facets.findings:
            thresholds = film_cuts(films.splits, finding, cuts).threshold
            film = np.flatnonzero(~np.isnan(values) & ~np.isnan(thresholds)).astype(np.int32)
            called = pa.table({"film": film, "called": values[film] >= thresholds[film]})
            cursor.load_table(_of_one_finding(f"{schema}.pairs", one.pairs), called, [finding])


def _of_one_finding(related: str, pairs: str) -> str:
    """Return the SQL; its parameter is the finding. If two models make the same call and one is wrong, both are."""
    return f"""INSERT INTO {related}
    SELECT one.*, CASE WHEN one.called = other.called THEN 'both wrong' ELSE 'disagree' END AS relation
    FROM (FROM {pairs} WHERE finding = ?) one JOIN stream other USING (film)
    WHERE one.called <> other.called OR one.outcome IN ('miss', 'false alarm')
    ORDER BY outcome, badness DESC"""
