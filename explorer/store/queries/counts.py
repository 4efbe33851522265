"""Counts: pairs and films of a slice, and which films; outcomes by finding and center; calls among misses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from explorer.core.outcomes import OUTCOMES
from explorer.store.conditions import Condition, PairTable, where
from explorer.store.filter_registry import OF_ANY_FILM
from explorer.store.queries.cursor import Cursor
from explorer.store.queries.model_tables import STATES, WORD
from explorer.store.queries.tables import Tables
from explorer.store.results import Called, Count, ScoredAlike, Tally
from explorer.store.slices import Slice, conditions, film_conditions

_IN_MASKS = {"finding", "outcome", "whole"}  # the columns of pairs that `masks` covers


def count(cursor: Cursor, tables: Tables, chosen: Slice) -> Count:
    """Return the number of pairs and films."""
    if masks := _masks(tables, chosen):
        asked = where(film_conditions(chosen), tables.source)
        pairs, films = cursor.row(
            f"""SELECT coalesce(sum({" + ".join(f"bit_count({mask})" for mask in masks)}), 0)::BIGINT,
                count(*) FILTER ({_any(masks)}) FROM {tables.model}.masks WHERE {asked.sql}""",
            asked.parameters,
        )
        return Count(pairs, films)
    asked = tables.where(chosen)
    pairs, films = cursor.row(
        f"SELECT count(*), count(DISTINCT film) FROM {tables.pairs} WHERE {asked.sql}", asked.parameters
    )
    return Count(pairs, films)


def films(cursor: Cursor, tables: Tables, chosen: Slice) -> NDArray[np.int32]:
    """Return the numbers of the films (n,), ascending."""
    if masks := _masks(tables, chosen):
        asked = where(film_conditions(chosen), tables.source)
        statement = f"SELECT film FROM {tables.model}.masks WHERE ({_any(masks)}) AND {asked.sql} ORDER BY film"
    else:
        asked = tables.where(chosen)
        statement = f"SELECT DISTINCT film FROM {tables.pairs} WHERE {asked.sql} ORDER BY film"
    found: NDArray[np.int32] = cursor.arrow(statement, asked.parameters)["film"].to_numpy()
    return found


def films_meeting(cursor: Cursor, cohort: str, chosen: Slice) -> NDArray[np.int32]:
    """Return the cohort's films (n,) that meet the slice's film filters, scored or not, ascending."""
    cases = f"{cohort}.cases"
    demands = chain.from_iterable(each.conditions(chosen.values(), ()) for each in OF_ANY_FILM)
    asked = where(demands, PairTable(cases, "film", f"{cohort}.appearances", cases))
    statement = f"SELECT film FROM {cases} WHERE {asked.sql} ORDER BY film"
    found: NDArray[np.int32] = cursor.arrow(statement, asked.parameters)["film"].to_numpy()
    return found


def _masks(tables: Tables, chosen: Slice) -> list[str]:
    """Return bit masks of the slice, one bit per finding of a film, by outcome; empty if masks cannot express it."""
    of_films = set(film_conditions(chosen))
    of_pairs = [each for each in conditions(chosen, tables.of_group(chosen)) if each not in of_films]
    if not all(each.column in _IN_MASKS for each in of_pairs):
        return []
    return [
        f"mask_{state}_{word} & {mask}::UBIGINT"
        for state in STATES
        for word, mask in _bits(tables.scored, state, of_pairs)
    ]


def _bits(scored: Sequence[str], state: int, of_pairs: Sequence[Condition]) -> Iterator[tuple[int, int]]:
    """Yield the findings of a state that meet the conditions, as bits by mask word; empty words are omitted."""
    outcome = OUTCOMES[state] if state < len(OUTCOMES) else None
    bits: dict[int, int] = {}
    for number, finding in enumerate(scored):
        row = {"finding": finding, "outcome": outcome, "whole": True}
        if all(each.holds(row) for each in of_pairs):
            bits[number // WORD] = bits.get(number // WORD, 0) | 1 << number % WORD
    return iter(bits.items())


def _any(masks: Sequence[str]) -> str:
    """Return the SQL condition that at least one mask has a bit set."""
    return " OR ".join(f"({mask}) <> 0" for mask in masks)


def tally(cursor: Cursor, tables: Tables, chosen: Slice) -> tuple[Tally, ...]:
    """Return outcomes by finding and center, sorted by name."""
    asked = tables.where(chosen)
    rows = cursor.rows(
        f"""SELECT finding::VARCHAR, center::VARCHAR,
            count(*) FILTER (outcome = 'hit'), count(*) FILTER (outcome = 'miss'),
            count(*) FILTER (outcome = 'false alarm'), count(*) FILTER (outcome = 'correct rejection'),
            count(*) FILTER (outcome IS NULL), count(*) FILTER (label = 'present'), count(*) FILTER (label = 'absent')
        FROM {tables.pairs} WHERE {asked.sql} GROUP BY ALL ORDER BY 1, 2""",
        asked.parameters,
    )
    return tuple(Tally(*row) for row in rows)


def scored_alike(cursor: Cursor, tables: Tables, chosen: Slice, scores: Mapping[str, float]) -> dict[str, ScoredAlike]:
    """Count, by finding, the films of the population that score at least, and at most, as high as in `scores`."""
    asked = tables.where(chosen.population())
    rows = cursor.rows(
        f"""WITH asked AS (SELECT unnest(?::VARCHAR[]) AS name, unnest(?::FLOAT[]) AS here)
        SELECT name, count(*) FILTER (score >= here AND label = 'present'), count(*) FILTER (score >= here),
            count(*) FILTER (score <= here AND label = 'present'), count(*) FILTER (score <= here),
            count(*) FILTER (label = 'present'), count(*)
        FROM {tables.pairs} JOIN asked ON finding::VARCHAR = name
        WHERE label IN ('present', 'absent') AND {asked.sql} GROUP BY 1 ORDER BY 1""",
        (list(scores), list(scores.values()), *asked.parameters),
    )
    return {name: ScoredAlike((a, b), (c, d), (e, f)) for name, a, b, c, d, e, f in rows}


def called(cursor: Cursor, tables: Tables, chosen: Slice, finding: str) -> tuple[Called, ...]:
    """Return what is called present among the misses of a finding, by the names of the other findings.

    All films of the population count, whatever the label source; the misses are those by the slice's label source, if
    it has one.
    """
    population = chosen.population()
    missed = tables.where(population.of(finding))
    films = tables.where(replace(population.every_finding(), label_source=None))
    rows = cursor.rows(
        f"""WITH missed AS (SELECT DISTINCT film FROM {tables.pairs} WHERE outcome = 'miss' AND {missed.sql})
        SELECT finding::VARCHAR, count(*) FILTER (called AND missed.film IS NOT NULL), count(missed.film),
            count(*) FILTER (called), count(*)
        FROM {tables.pairs} LEFT JOIN missed USING (film)
        WHERE called IS NOT NULL AND finding <> ? AND {films.sql} GROUP BY 1 ORDER BY 1""",
        (*missed.parameters, finding, *films.parameters),
    )
    return tuple(Called(*row) for row in rows)
