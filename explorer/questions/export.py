"""A slice as rows to take away, and as a statement that anyone with DuckDB can run over the cohort's files."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from explorer.answers import TooManyRows
from explorer.cohorts.layout import Folder
from explorer.questions.cohort_tables import BAND
from explorer.questions.counts import count
from explorer.questions.cursor import Cursor
from explorer.questions.labels import TOGETHER
from explorer.questions.tables import Tables
from explorer.slices import Slice

MOST = 2_000_000  # pairs
COLUMNS = (
    '"case", finding, score, threshold, label, source AS label_source, outcome, badness, called, '
    "center, view, sex, age, age_band, patient, study, split, root, file"
)


def rows(cursor: Cursor, tables: Tables, chosen: Slice) -> pa.Table:
    """The pairs of the slice, the worst first; raises TooManyRows."""
    pairs = count(cursor, tables, chosen).pairs
    if pairs > MOST:
        raise TooManyRows(
            f"This slice has {pairs:,} pairs", f"A file holds {MOST:,}. Narrow the slice, or take its SQL instead."
        )
    where = tables.where(chosen)
    return cursor.arrow(
        f"""SELECT {COLUMNS}
        FROM (FROM {tables.pairs} WHERE {where.sql}) AS pair LEFT JOIN {tables.model}.cuts USING (cut)
        JOIN (SELECT film, "case", age, patient, study, split, root, file FROM {tables.cohort}.cases) USING (film)
        ORDER BY badness DESC NULLS LAST, "case", finding::VARCHAR""",
        where.parameters,
    )


def statement(tables: Tables, chosen: Slice, folder: Folder) -> tuple[str, list[object]]:
    """SQL over the Parquet files, with its parameters; it runs in the cohort's folder."""
    where = tables.where(chosen)
    parts = [_films(), _labels(), _pairs("pair")]
    values: list[object] = [*_files(folder, chosen.model)]
    source = "pair"
    if chosen.relation is not None:
        parts += [_pairs("other"), _RELATED]
        values += _files(folder, str(chosen.against))
        source = "related"
    sql = f"""WITH {", ".join(parts)}
SELECT {COLUMNS}
FROM {source}
WHERE {where.sql}
ORDER BY badness DESC NULLS LAST, "case", finding"""
    return sql, [*values, *where.parameters]


def _files(folder: Folder, model: str) -> Iterator[str]:
    """Operating points and shards of a model; scores brought for a shipped cohort lie elsewhere than its folder."""
    for path in (folder.operating_points(model), folder.predictions(model) / "part-*.parquet"):
        yield str(path.relative_to(folder.path) if path.is_relative_to(folder.path) else path)


def _films() -> str:
    return f"""film AS (
    SELECT *, {BAND} AS age_band
    FROM read_parquet('cases.parquet')
)"""


def _labels() -> str:
    return f"""
said AS (
    SELECT "case", finding, source, {TOGETHER} AS label
    FROM read_parquet('labels.parquet') GROUP BY ALL
),
together AS (
    SELECT "case", finding, {TOGETHER} AS label, CASE count(*) WHEN 1 THEN any_value(source) END AS source
    FROM said GROUP BY ALL
),
labelled AS (
    SELECT *, true AS whole FROM together
    UNION ALL BY NAME
    SELECT *, false AS whole FROM said
    SEMI JOIN (FROM together WHERE source IS NULL) USING ("case", finding)
)"""


def _pairs(name: str) -> str:
    """Its parameters are the operating points and the shards."""
    return f"""
{name}_cut AS (
    SELECT finding, split, threshold FROM read_parquet(?)
),
{name} AS (
    SELECT *, CASE
            WHEN called AND label = 'present' THEN 'hit'
            WHEN called AND label = 'absent' THEN 'false alarm'
            WHEN NOT called AND label = 'present' THEN 'miss'
            WHEN NOT called AND label = 'absent' THEN 'correct rejection'
        END AS outcome,
        (CASE label WHEN 'present' THEN threshold - score ELSE score - threshold END)::FLOAT AS badness
    FROM (
        SELECT film.*, score.finding, score.score, coalesce(own.threshold, every.threshold) AS threshold,
            score.score::DOUBLE >= coalesce(own.threshold, every.threshold) AS called,
            coalesce(label, 'unknown') AS label, source, coalesce(whole, true) AS whole
        FROM read_parquet(?) AS score
        JOIN film USING ("case")
        LEFT JOIN labelled USING ("case", finding)
        LEFT JOIN {name}_cut AS own ON own.finding = score.finding AND own.split = film.split
        LEFT JOIN {name}_cut AS every ON every.finding = score.finding AND every.split IS NULL
    )
)"""


_RELATED = """
related AS (
    SELECT pair.*, CASE WHEN pair.called <> other.called THEN 'disagree'
        WHEN pair.outcome IN ('miss', 'false alarm') AND other.outcome IN ('miss', 'false alarm') THEN 'both wrong'
        END AS relation
    FROM pair JOIN other ON pair."case" = other."case" AND pair.finding = other.finding AND pair.whole = other.whole
        AND pair.source IS NOT DISTINCT FROM other.source
)"""
