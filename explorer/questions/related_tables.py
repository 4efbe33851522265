"""The pairs of a model that another model is wrong about too, or says something else of: `pairs` with `relation`."""

from __future__ import annotations

from explorer.questions.cursor import Cursor
from explorer.questions.tables import Tables

_WRONG = "('miss', 'false alarm')"


def load_related(cursor: Cursor, schema: str, one: Tables, other: Tables) -> None:
    """Make the table in a schema of its own."""
    cursor.execute(f"CREATE SCHEMA {schema}")
    cursor.execute(f"CREATE TYPE {schema}.relation AS ENUM ('both wrong', 'disagree')")
    cursor.execute(
        f"CREATE TABLE {schema}.pairs AS SELECT *, NULL::{schema}.relation AS relation FROM {one.pairs} LIMIT 0"
    )
    for finding in one.facets.findings:
        if finding in other.facets.findings:
            cursor.execute(_of_one_finding(f"{schema}.pairs", one.pairs, other.pairs), [finding, finding])


def _of_one_finding(related: str, one: str, other: str) -> str:
    """Its parameters are the finding, twice."""
    return f"""INSERT INTO {related}
    SELECT a.*, CASE WHEN a.called <> b.called THEN 'disagree' ELSE 'both wrong' END AS relation
    FROM (FROM {one} WHERE finding = ?) a
    JOIN (SELECT film, source, whole, called, outcome FROM {other} WHERE finding = ?) b
        ON a.film = b.film AND a.whole = b.whole AND a.source IS NOT DISTINCT FROM b.source
    WHERE a.called <> b.called OR (a.outcome IN {_WRONG} AND b.outcome IN {_WRONG})
    ORDER BY outcome, badness DESC, film"""
