"""Exports a slice as rows, and as an SQL statement that runs in DuckDB on the cohort's files."""

from __future__ import annotations

import os
from dataclasses import astuple
from itertools import chain
from pathlib import Path

import pyarrow as pa

from explorer.cohorts.chosen_thresholds import thresholds_in_force
from explorer.cohorts.layout import Folder
from explorer.cohorts.manifest import read_manifest, read_model_manifest
from explorer.core.findings import COMPATIBLE_WITH_NORMAL
from explorer.core.threshold_rules import FIXED_PREFIX
from explorer.core.uncertainty import Policy
from explorer.core.worst_first import MIN_DISTANCE
from explorer.store.conditions import PairTable
from explorer.store.cursor import Cursor
from explorer.store.filter_registry import APPEARANCE_FILTERS, PART
from explorer.store.prepared.film_places import map_of_area
from explorer.store.prepared.film_tables import COMPUTED, LOOKS, WORDS, counting
from explorer.store.prepared.labels import sql_label_read, whole_and_by_source
from explorer.store.prepared.tables import Tables
from explorer.store.queries.counts import count
from explorer.store.results import TooManyRows
from explorer.store.slices import Slice

MOST = 2_000_000  # pairs per export
_ALWAYS = (
    '"case"',
    "finding",
    "score",
    "threshold",
    "label",
    "source AS label_source",
    "outcome",
    "badness",
    "called",
    "center",
    "view",
    "sex",
    "age",
    "age_band",
    "patient",
    "study",
    "split",
    "root",
    "file",
)
COLUMNS = ", ".join([*_ALWAYS, *(column for column in WORDS if column not in (*_ALWAYS, PART))])  # PART is `split`

WEIGHT = ", weight"  # in cohorts whose films have weights
LOOK = ", severity, side, area"  # in cohorts that record the appearance of findings


def rows(cursor: Cursor, tables: Tables, chosen: Slice) -> pa.Table:
    """Return the pairs of the slice, worst first; raises TooManyRows."""
    pairs = count(cursor, tables, chosen).pairs
    if pairs > MOST:
        raise TooManyRows(
            f"This slice has {pairs:,} pairs", f"A file can hold {MOST:,}. Narrow the slice, or copy its SQL instead."
        )
    where, cuts = tables.where(chosen), tables.facts.cuts
    return cursor.arrow(
        f"""WITH cuts AS (SELECT unnest(?::USMALLINT[]) AS cut, unnest(?::DOUBLE[]) AS threshold)
        SELECT {_columns(tables)}
        FROM (FROM {tables.pairs} WHERE {where.sql}) AS pair LEFT JOIN cuts USING (cut)
        JOIN (SELECT film, "case", age, patient, study, split, root, file, weight
            FROM {tables.cohort}.cases) USING (film)
        LEFT JOIN (SELECT film, try_cast(finding AS {tables.model}.finding) AS finding{LOOK}
            FROM {tables.cohort}.appearances) USING (film, finding)
        ORDER BY badness DESC NULLS LAST, "case", finding::VARCHAR""",
        ([*range(len(cuts))], [cut.threshold for cut in cuts], *where.parameters),
    )


def statement(tables: Tables, chosen: Slice, folder: Folder) -> tuple[str, list[object]]:
    """Return SQL on the Parquet files, with its parameters; run it in the cohort's folder."""
    where = tables.where(chosen, PairTable("pair", '"case"', "appearance", "film", "place"))
    parts, values = [_labels(folder), _FILMS], list[object]()
    pairs = [_pairs("pair", folder, chosen.model, chosen.policy, some_not_chosen=not tables.facts.all_chosen)]
    if chosen.relation is not None:
        pairs.append(_pairs("other", folder, str(chosen.against), chosen.policy, some_not_chosen=False))
    for text, bound in pairs:
        parts.append(text)
        values += bound
    if chosen.relation is not None:
        parts.append(_RELATED)
    found = "pair" if chosen.relation is None else "related"
    if tables.looks or chosen.without(*APPEARANCE_FILTERS) != chosen:
        parts.append(_appearances(folder))
        found += ' LEFT JOIN appearance USING ("case", finding)'
    if chosen.lasso is not None:
        parts.append(_PLACES)
        values.append(_from(folder, map_of_area(folder, chosen.lasso).path))
    sql = f"""WITH {", ".join(parts)}
SELECT {_columns(tables)}
FROM {found}
WHERE {where.sql}
ORDER BY badness DESC NULLS LAST, "case", finding"""
    return sql, [*values, *where.parameters]


def _columns(tables: Tables) -> str:
    return COLUMNS + (WEIGHT if tables.weighted else "") + (LOOK if tables.looks else "")


def _from(folder: Folder, path: Path) -> str:
    """Return the path relative to the cohort's folder if it is inside or beside it; a user's files may be elsewhere."""
    return os.path.relpath(path, folder.path) if path.is_relative_to(folder.path.parent) else str(path)


def _nothing(*columns: str) -> str:
    """Return an empty table, in place of a file that the cohort does not have."""
    return f"(SELECT {', '.join(f'NULL::{kind} AS {name}' for name, kind in map(str.split, columns))} WHERE false)"


def _appearances(folder: Folder) -> str:
    nothing = _nothing('"case" VARCHAR', "finding VARCHAR", "severity DOUBLE", "side VARCHAR", "area DOUBLE")
    return f"""
appearance AS (
    SELECT *{LOOKS}
    FROM {"'appearances.parquet'" if folder.appearances.exists() else nothing}
)"""


def _labels(folder: Folder) -> str:
    nothing = _nothing('"case" VARCHAR', "finding VARCHAR", "label VARCHAR", "source VARCHAR")
    counts = counting(read_manifest(folder.manifest).default_source)
    said = f"""(
    SELECT "case", finding, label, source, {counts} AS counts
    FROM {"'labels.parquet'" if folder.labels.exists() else nothing}
)"""
    return whole_and_by_source(said, '"case", finding')


def _cuts(name: str, folder: Folder, model: str) -> tuple[str, list[object]]:
    """Return a model's thresholds in force.

    Those chosen on this machine are bound as values, because other machines lack their file, and they may change here.
    """
    chosen = thresholds_in_force(folder, model)
    if chosen is not None and chosen.points:
        marks = ", ".join(["(?::VARCHAR, ?::VARCHAR, ?::DOUBLE, ?::VARCHAR)"] * len(chosen.points))
        points = chain.from_iterable(astuple(point) for point in chosen.points)
        return f"{name}_cut(finding, split, threshold, rule) AS (\n    VALUES {marks}\n)", list(points)
    own = folder.operating_points(model)
    there = own.exists() and chosen is None
    columns = ("finding VARCHAR", "split VARCHAR", "threshold DOUBLE", "rule VARCHAR")
    found = "read_parquet(?)" if there else _nothing(*columns)
    text = f"{name}_cut AS (\n    SELECT finding, split, threshold, rule FROM {found}\n)"
    return text, [_from(folder, own)] if there else []


def _pairs(
    name: str, folder: Folder, model: str, uncertain: Policy, *, some_not_chosen: bool
) -> tuple[str, list[object]]:
    """Return a model's pairs, and the values to bind: its thresholds and the paths of its files."""
    cuts, values = _cuts(name, folder, model)
    values.append(_from(folder, folder.predictions(model) / "part-*.parquet"))
    margins = read_model_manifest(folder.model(model)).unit == "margin"
    above = "score - threshold" if margins else f"{_log_odds('score')} - {_log_odds('threshold')}"
    if some_not_chosen:
        above = f"CASE WHEN NOT starts_with(rule, '{FIXED_PREFIX}') THEN {above} ELSE {_ABOVE_USUAL} END"
    text = f"""
{cuts},
{name} AS (
    SELECT *, CASE
            WHEN called AND label = 'present' THEN 'hit'
            WHEN called AND label = 'absent' THEN 'false alarm'
            WHEN NOT called AND label = 'present' THEN 'miss'
            WHEN NOT called AND label = 'absent' THEN 'correct rejection'
        END AS outcome,
        (CASE label WHEN 'present' THEN -above ELSE above END)::FLOAT AS badness
    FROM (SELECT * REPLACE ({sql_label_read(uncertain)} AS label), {above} AS above FROM (
        SELECT film.*, score.finding, score.score, coalesce(own.threshold, every.threshold) AS threshold,
            score.score::DOUBLE >= coalesce(own.threshold, every.threshold) AS called,
            coalesce(own.rule, every.rule) AS rule,
            coalesce(label, 'unknown') AS label, source, coalesce(whole, true) AS whole
        FROM read_parquet(?) AS score
        JOIN film USING ("case")
        LEFT JOIN whole_and_by_source USING ("case", finding)
        LEFT JOIN {name}_cut AS own ON own.finding = score.finding AND own.split = film.split
        LEFT JOIN {name}_cut AS every ON every.finding = score.finding AND every.split IS NULL
    ))
)"""
    return text, values


_FILMS = f"""
counted AS (
    SELECT "case", count(*) FILTER (label = 'present' AND finding NOT IN {COMPATIBLE_WITH_NORMAL}) AS findings_present
    FROM together SEMI JOIN (FROM mine WHERE counts AND label IN ('present', 'absent')) USING ("case") GROUP BY "case"
),
film AS (
    SELECT *{COMPUTED}
    FROM read_parquet('cases.parquet') LEFT JOIN counted USING ("case")
)"""


_PLACES = """
place AS (
    SELECT "case", x::BIGINT AS x, y::BIGINT AS y FROM read_parquet(?)
)"""


def _log_odds(column: str) -> str:
    """Return SQL for log odds as `explorer.core.worst_first` computes them."""
    inside = f"greatest(least({column}::DOUBLE, {1 - MIN_DISTANCE!r}), {MIN_DISTANCE!r})"
    return f"CASE WHEN {column} IS NOT NULL THEN ln({inside} / (1 - {inside})) END"


def _films(demand: str = "", window: str = "") -> str:
    """Return SQL for the number of films on which a finding is scored, restricted to those that meet a condition."""
    return f"count(*) FILTER (whole{demand}) OVER (PARTITION BY finding{window})"


_N, _AS_LOW, _SAME = _films(), _films(window=" ORDER BY score"), _films(window=", score")
_PLACE = f"(2 * {_AS_LOW} - {_SAME}) / (2 * {_N})"
_PRESENT, _KNOWN = _films(" AND label = 'present'"), _films(" AND label IN ('present', 'absent')")
_END = f"0.5::DOUBLE / {_N}"
_USUAL = f"CASE WHEN {_KNOWN} = 0 THEN 0.5 ELSE greatest(least(1 - {_PRESENT} / {_KNOWN}, 1 - {_END}), {_END}) END"
# The same as in `explorer.core.worst_first`, for findings without a chosen threshold.
_ABOVE_USUAL = f"{_log_odds(_PLACE)} - {_log_odds(_USUAL)}"


_RELATED = """
related AS (
    SELECT pair.*, CASE WHEN pair.called <> other.called THEN 'disagree'
        WHEN pair.outcome IN ('miss', 'false alarm') AND other.outcome IN ('miss', 'false alarm') THEN 'both wrong'
        END AS relation
    FROM pair JOIN other ON pair."case" = other."case" AND pair.finding = other.finding AND pair.whole = other.whole
        AND pair.source IS NOT DISTINCT FROM other.source
)"""
