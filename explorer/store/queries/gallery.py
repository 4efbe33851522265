"""Pages of a slice: each film once, represented by its worst pair."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import Outcome
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.film_rows import lines
from explorer.store.queries.tables import Tables
from explorer.store.results import Ranked
from explorer.store.slices import Slice

FEW = 1000  # up to this film, pages use the top of the sorted pairs; beyond it, every film's worst pair is needed
_WORST = "badness DESC NULLS LAST, film, finding"
_PRIME = 2_147_483_647
Films = NDArray[np.int32]


def order(cursor: Cursor, tables: Tables, chosen: Slice, shuffle: int | None) -> Films:
    """Return every film of the slice, worst first or in a shuffled order that depends only on the seed."""
    where = tables.where(chosen)
    found = cursor.arrow(
        f"""SELECT film FROM (SELECT film, max(badness) AS worst FROM {tables.pairs} WHERE {where.sql} GROUP BY film)
        ORDER BY worst DESC NULLS LAST, film"""
        if shuffle is None
        else f"""SELECT film FROM (SELECT film FROM {tables.pairs} WHERE {where.sql} GROUP BY film)
        JOIN (SELECT film, id FROM {tables.cohort}.cases) USING (film) ORDER BY {_shuffled(shuffle)}, film""",
        where.parameters,
    )
    films: Films = found["film"].to_numpy()
    return films


def top(cursor: Cursor, tables: Tables, chosen: Slice, start: int, size: int) -> tuple[Ranked, ...]:
    """Return films from `start`, worst first, taken from the top of the sorted pairs; used for the first pages."""
    where = tables.where(chosen)
    wanted = limit = start + size
    while True:
        limit *= 3
        pairs = cursor.rows(
            f"""SELECT film, finding::VARCHAR, score, cut, label::VARCHAR, outcome::VARCHAR FROM {tables.pairs}
            WHERE {where.sql} ORDER BY {_WORST} LIMIT {limit}""",
            where.parameters,
        )
        first = {pair[0]: pair for pair in reversed(pairs)}  # each film's worst pair
        if len(first) >= wanted or len(pairs) < limit:
            break
    films = list(dict.fromkeys(pair[0] for pair in pairs))[start:wanted]
    return _ranked(cursor, tables, [first[film] for film in films])


def these(cursor: Cursor, tables: Tables, chosen: Slice, films: Films) -> tuple[Ranked, ...]:
    """Return the films in this order, each with its worst pair in the slice."""
    where = tables.where(chosen)
    pairs = cursor.rows(
        f"""SELECT film, finding::VARCHAR, score, cut, label::VARCHAR, outcome::VARCHAR FROM {tables.pairs}
        WHERE film IN (SELECT unnest(?::INTEGER[])) AND {where.sql} ORDER BY {_WORST}""",
        (films.tolist(), *where.parameters),
    )
    first = {pair[0]: pair for pair in reversed(pairs)}
    return _ranked(cursor, tables, [first[film] for film in films.tolist()])


def _ranked(cursor: Cursor, tables: Tables, pairs: Sequence[tuple[Any, ...]]) -> tuple[Ranked, ...]:
    known = lines(cursor, tables.cohort, [pair[0] for pair in pairs])
    return tuple(
        Ranked(
            case=line.case,
            id=line.id,
            finding=finding,
            score=score,
            threshold=None if cut is None else tables.cuts[cut].threshold,
            chosen=cut is not None and tables.cuts[cut].chosen,
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
        for film, finding, score, cut, label, outcome in pairs
        for line in [known[film]]
    )


def _shuffled(seed: int) -> str:
    """Return SQL for a film's position in a shuffled order: from its id, a hash, so it is the same on every machine."""
    digest = hashlib.sha256(str(seed).encode()).digest()
    factor, offset = (int.from_bytes(part) % (_PRIME - 1) + 1 for part in (digest[:4], digest[4:8]))
    return f"((id >> 33) * {factor} + {offset}) % {_PRIME}"
