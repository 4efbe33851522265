"""Pages of a slice: each film once, represented by its worst pair. Pairs are stored worst first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from explorer.core.findings import Outcome
from explorer.store.cursor import Cursor
from explorer.store.prepared.tables import Tables
from explorer.store.queries.counts import films
from explorer.store.queries.film_rows import lines
from explorer.store.results import Count, Ranked
from explorer.store.slices import Slice

MARGIN = 1.2  # times the pairs are read that should hold the films wanted
WORST_ROWS, MORE = 2**17, 8  # of the worst rows to join with others, and how many times as many next
_PRIME = 2_147_483_647
Films = NDArray[np.int32]
Rows = NDArray[np.int64]  # numbers of pairs, the worst first


def worst_first(
    cursor: Cursor, tables: Tables, chosen: Slice, there: Count, start: int, size: int
) -> tuple[Ranked, ...]:
    """Return films of the slice from `start`, worst first; `there` counts its pairs and films."""
    wanted = min(start + size, there.films)
    limit = min(there.pairs, size + round(MARGIN * _rows_holding(wanted, there)))
    while True:
        film, row = _first_pairs(cursor, tables, chosen, limit, there.pairs)
        once = _first_of_each(film, tables.facets.films)
        if len(once) >= wanted or limit == there.pairs:
            return _at(cursor, tables, row[once[start:wanted]].tolist())
        limit = min(there.pairs, 2 * limit)


def _rows_holding(films: int, there: Count) -> float:
    """Return how many pairs of a slice hold so many of its films, if the pairs of a film lie anywhere."""
    return float(there.pairs * (1 - (1 - films / there.films) ** (there.films / there.pairs)))


def shuffled(cursor: Cursor, tables: Tables, chosen: Slice, seed: int) -> Films:
    """Return every film of the slice in an order that depends only on the seed."""
    order = cursor.arrow(f"SELECT film FROM {tables.cohort}.cases ORDER BY {_shuffled(seed)}, film")["film"].to_numpy()
    inside = np.zeros(tables.facets.films, bool)
    inside[films(cursor, tables, chosen)] = True
    found: Films = order[inside[order]]
    return found


def these(cursor: Cursor, tables: Tables, chosen: Slice, numbers: Films) -> tuple[Ranked, ...]:
    """Return the films in this order, each with its worst pair in the slice."""
    where = tables.where(chosen)
    rows = dict(
        cursor.rows(
            f"""SELECT film, min(rowid) FROM {tables.pairs}
            WHERE film IN (SELECT unnest(?::INTEGER[])) AND {where.sql} GROUP BY film""",
            (numbers.tolist(), *where.parameters),
        )
    )
    return _at(cursor, tables, [rows[number] for number in numbers.tolist()])


def _at(cursor: Cursor, tables: Tables, rows: Sequence[int]) -> tuple[Ranked, ...]:
    """Return the pairs in these rows, in this order, with their films."""
    pairs = cursor.rows(
        f"""SELECT rowid, film, finding::VARCHAR, score, cut, label::VARCHAR, outcome::VARCHAR FROM {tables.model}.pairs
        WHERE rowid IN (SELECT unnest(?::BIGINT[]))""",
        [rows],
    )
    by_row = {row: pair for row, *pair in pairs}
    known, cuts = lines(cursor, tables.cohort, [pair[0] for pair in by_row.values()]), tables.facts.cuts
    return tuple(
        Ranked(
            case=line.case,
            id=line.id,
            finding=finding,
            score=score,
            threshold=None if cut is None else cuts[cut].threshold,
            chosen=cut is not None and cuts[cut].chosen,
            label=label,
            outcome=None if outcome is None else Outcome(outcome),
            center=line.center,
            view=line.view,
            sex=line.sex,
            age=line.age,
            root=line.root,
            file=line.file,
            present=line.present,
            none_of_these=line.none_of_these,
        )
        for film, finding, score, cut, label, outcome in (by_row[row] for row in rows)
        for line in [known[film]]
    )


def _first_pairs(cursor: Cursor, tables: Tables, chosen: Slice, limit: int, pairs: int) -> tuple[Films, Rows]:
    """Return film and row of the first `limit` of so many pairs.

    Rows of a table alone come in order, which stops early. Where a condition joins others, more and more of the worst
    rows that meet the other conditions are joined.
    """
    asked = tables.where(chosen)
    statement = f"SELECT film, rowid AS row FROM {tables.pairs} WHERE {asked.sql}"
    if "SELECT" not in f"{tables.pairs} {asked.sql}":
        return _columns(cursor.arrow(f"{statement} LIMIT {limit}", asked.parameters))
    alone, some = tables.where_alone(chosen), max(WORST_ROWS, tables.facts.pairs * limit // pairs)
    parts, start = [], 0
    while True:
        n, end = cursor.row(
            f"""SELECT count(*), coalesce(max(row) + 1, 0) FROM
            (SELECT rowid AS row FROM {tables.model}.pairs WHERE {alone.sql} LIMIT {some})""",
            alone.parameters,
        )
        parts.append(cursor.arrow(f"{statement} AND rowid >= {start} AND rowid < {end}", asked.parameters))
        if n < some or sum(map(len, parts)) >= limit:
            film, row = _columns(pa.concat_tables(parts))
            order = np.argsort(row, kind="stable")[:limit]  # which is fast where most are in order
            return film[order], row[order]
        start, some = end, some * MORE


def _columns(found: pa.Table) -> tuple[Films, Rows]:
    return found["film"].to_numpy(), found["row"].to_numpy()


def _first_of_each(film: Films, films: int) -> NDArray[np.int32]:
    """Return the places at which each film comes first, ascending; `films` is the number of a cohort's films."""
    place = np.arange(len(film), dtype=np.int32)
    first = np.empty(films, np.int32)
    first[film[::-1]] = place[::-1]  # of equal indices, the last assignment counts
    once: NDArray[np.int32] = place[first[film] == place]
    return once


def _shuffled(seed: int) -> str:
    """Return SQL for a film's position in a shuffled order: from its id, a hash, so it is the same on every machine."""
    digest = hashlib.sha256(str(seed).encode()).digest()
    factor, offset = (int.from_bytes(part) % (_PRIME - 1) + 1 for part in (digest[:4], digest[4:8]))
    return f"((id >> 33) * {factor} + {offset}) % {_PRIME}"
