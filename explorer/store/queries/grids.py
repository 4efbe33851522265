"""Everything that a model says of a cohort, as arrays over all films."""

from __future__ import annotations

import numpy as np

from explorer.store.queries.cursor import Cursor
from explorer.store.queries.tables import Tables
from explorer.store.results import FilmFacts, Grid

_LABEL = "CASE label WHEN 'present' THEN 1 WHEN 'absent' THEN 0 ELSE 'nan'::DOUBLE END"


def grid(cursor: Cursor, tables: Tables, label_source: str | None) -> Grid:
    """Labels, scores and calls (films, findings); the labels of one source alone where it is named."""
    pairs = cursor.arrow(
        f"""SELECT film, enum_code(finding) AS finding, {_LABEL} AS label, score,
            CASE WHEN called THEN 1 WHEN NOT called THEN 0 ELSE -1 END::TINYINT AS called
        FROM {tables.pairs} WHERE whole"""
    )
    place = pairs["film"].to_numpy(), pairs["finding"].to_numpy()
    shape = (tables.facets.films, len(tables.scored))
    score, called = np.full(shape, np.nan, np.float32), np.full(shape, -1, np.int8)
    score[place], called[place] = pairs["score"].to_numpy(), pairs["called"].to_numpy()
    label = np.full(shape, np.nan)
    if label_source is not None:
        pairs = cursor.arrow(
            f"SELECT film, enum_code(finding) AS finding, {_LABEL} AS label FROM {tables.pairs} WHERE source = ?",
            [label_source],
        )
        place = pairs["film"].to_numpy(), pairs["finding"].to_numpy()
    label[place] = pairs["label"].to_numpy()
    return Grid(tables.scored, label, score, called)


def film_facts(cursor: Cursor, cohort: str) -> FilmFacts:
    """Center, patient, weight and split of every film."""
    found = cursor.arrow(
        f"""SELECT center::VARCHAR AS center, patient, coalesce(weight, 1) AS weight, split
        FROM {cohort}.cases ORDER BY film"""
    )
    return FilmFacts(*(found[name].to_numpy() for name in ("center", "patient", "weight", "split")))
