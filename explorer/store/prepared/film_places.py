"""Positions of a cohort's films on a model's map, as the DuckDB table `places`."""

from __future__ import annotations

import pyarrow as pa

from explorer.cohorts.film_map import FilmMap, KnownMap, known_map
from explorer.cohorts.layout import Folder
from explorer.core.map_area import MapArea
from explorer.store.cursor import Cursor
from explorer.store.results import StoreError


def map_of_area(folder: Folder, area: MapArea) -> KnownMap:
    """Return the map of the area. Raises StoreError if it is missing or has been replaced."""
    known = known_map(folder, area.model)
    if known is None or known.version != area.map:
        raise StoreError("The map has changed", "Films have moved on it. Lasso them again.")
    return known


def load_places(cursor: Cursor, schema: str, cohort: str, known: FilmMap) -> None:
    """Create the table in an empty schema: film numbers, and positions in units of `explorer.core.map_area`."""
    table = pa.table({"case": pa.array(known.cases, pa.string()), "x": known.x, "y": known.y})
    cursor.load(
        f"""CREATE TABLE {schema}.places AS
        SELECT film, x::BIGINT AS x, y::BIGINT AS y FROM stream JOIN (SELECT film, "case" FROM {cohort}.cases)
            USING ("case") ORDER BY film""",
        table,
    )
