"""Counts: pairs and films of a slice, and which films; outcomes by finding and center; calls among misses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import Outcome
from explorer.core.outcomes import OUTCOMES, WRONG
from explorer.store.conditions import FILM_CALLS, FILM_HAS, PLACE, Condition, PairTable, Where, where
from explorer.store.cursor import Cursor
from explorer.store.filter_registry import OF_ANY_FILM
from explorer.store.prepared.film_tables import WORDS
from explorer.store.prepared.pair_tables import STATES, WORD
from explorer.store.prepared.relation import related_masks, relation_bits
from explorer.store.prepared.tables import IN_CELLS, Tables
from explorer.store.queries.patient_counts import sums_by_patient
from explorer.store.results import Called, Count, ScoredAlike, Tally
from explorer.store.slices import Slice, conditions

_IN_MASKS = {"finding", "outcome", "whole", "source", "relation"}  # the columns of pairs that `masks` covers
_OF_FILMS = {*WORDS, "case", PLACE, FILM_CALLS, FILM_HAS}


def count(cursor: Cursor, tables: Tables, chosen: Slice) -> Count:
    """Return the number of pairs and films."""
    if tables.facts.findings and chosen.finding is not None and _in_cells(tables, chosen):  # each film has one pair
        asked = tables.where(chosen)
        (n,) = cursor.row(
            f"SELECT coalesce(sum(n), 0)::BIGINT FROM {tables.model}.cells WHERE {asked.sql}", asked.parameters
        )
        return Count(n, n)
    if by_film := _by_film(tables, chosen):
        pairs, films = cursor.row(
            f"""SELECT coalesce(sum({" + ".join(f"bit_count({mask})" for mask in by_film.masks) or "0"}), 0)::BIGINT,
                count(*) FILTER ({by_film.any}) FROM {by_film.table} WHERE {by_film.films.sql}""",
            by_film.films.parameters,
        )
        return Count(pairs, films)
    asked = tables.where(chosen)
    pairs, films = cursor.row(
        f"SELECT count(*), count(DISTINCT film) FROM {tables.pairs} WHERE {asked.sql}", asked.parameters
    )
    return Count(pairs, films)


def films(cursor: Cursor, tables: Tables, chosen: Slice) -> NDArray[np.int32]:
    """Return the numbers of the films (n,), ascending."""
    if by_film := _by_film(tables, chosen):
        asked = by_film.films
        statement = f"SELECT film FROM {by_film.table} WHERE ({by_film.any}) AND {asked.sql} ORDER BY film"
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


def _in_cells(tables: Tables, chosen: Slice) -> bool:
    """Whether `cells` has all columns of the slice's conditions."""
    return all(each.column in IN_CELLS for each in conditions(chosen, tables.of_group(chosen)))


@dataclass(frozen=True, slots=True)
class _ByFilm:
    """A slice as bit masks: one bit per finding of a film, by outcome, in a row of `table` that meets `films`."""

    table: str
    masks: list[str]
    films: Where

    @property
    def any(self) -> str:
        """The SQL condition that at least one mask has a bit set."""
        return " OR ".join(f"({mask}) <> 0" for mask in self.masks) or "false"


def _by_film(tables: Tables, chosen: Slice) -> _ByFilm | None:
    """Return the slice as bit masks; None if masks cannot express it."""
    demands = list(conditions(chosen, tables.of_group(chosen)))
    of_pairs = [each for each in demands if each.column not in _OF_FILMS]
    table = related_masks(tables, chosen.label_source)
    if table is None or not all(each.column in _IN_MASKS for each in of_pairs):
        return None
    states = [state for state in STATES if chosen.relation != "both wrong" or _outcome(state) in WRONG]
    masks = [
        f"mask_{state}_{word} & {mask}::UBIGINT"
        + (f" & {relation_bits(chosen.relation, word)}" if chosen.relation else "")
        for state in states
        for word, mask in _bits(tables.scored, state, of_pairs)
    ]
    return _ByFilm(table, masks, where((each for each in demands if each.column in _OF_FILMS), tables.source))


def _bits(scored: Sequence[str], state: int, of_pairs: Sequence[Condition]) -> Iterator[tuple[int, int]]:
    """Yield the findings of a state that meet the conditions, as bits by mask word; empty words are omitted.

    The table's rows meet those on source and relation.
    """
    bits: dict[int, int] = {}
    for number, finding in enumerate(scored):
        row = {"finding": finding, "outcome": _outcome(state), "whole": True}
        if all(each.holds(row) for each in of_pairs if each.column in row):
            bits[number // WORD] = bits.get(number // WORD, 0) | 1 << number % WORD
    return iter(bits.items())


def _outcome(state: int) -> Outcome | None:
    return OUTCOMES[state] if state < len(OUTCOMES) else None


def tally(cursor: Cursor, tables: Tables, chosen: Slice) -> tuple[Tally, ...]:
    """Return outcomes by finding and center, sorted by name."""
    asked = tables.where(chosen)
    from_cells = _in_cells(tables, chosen)
    table, n = (f"{tables.model}.cells", "sum(n)") if from_cells else (tables.pairs, "count(*)")
    outcomes = (f"outcome = '{each}'" for each in ("hit", "miss", "false alarm", "correct rejection"))
    kinds = (*outcomes, "outcome IS NULL", "label = 'present'", "label = 'absent'")
    counted = [f"coalesce({n} FILTER ({kind}), 0)::BIGINT" for kind in kinds]
    rows = cursor.rows(
        f"""SELECT finding::VARCHAR, center::VARCHAR, {", ".join(counted)}
        FROM {table} WHERE {asked.sql} GROUP BY 1, 2 ORDER BY 1, 2""",
        asked.parameters,
    )
    return tuple(Tally(*row) for row in rows)


def scored_alike(cursor: Cursor, tables: Tables, chosen: Slice, scores: Mapping[str, float]) -> dict[str, ScoredAlike]:
    """Count, by finding, the films of the population that score at least, and at most, as high as in `scores`."""
    asked = tables.where(chosen.population())
    pairs = f"""(SELECT finding, film, label = 'present' AS hit, score,
            list_extract(?::FLOAT[], enum_code(finding) + 1) AS here
        FROM {tables.pairs} WHERE label IN ('present', 'absent') AND here IS NOT NULL AND {asked.sql})"""
    parameters = [scores.get(finding) for finding in tables.scored], *asked.parameters
    counted = sums_by_patient(cursor, tables, pairs, ("score >= here", "score <= here", "true"), parameters)
    return {finding: ScoredAlike(*sums) for finding, sums in counted}


def called(cursor: Cursor, tables: Tables, chosen: Slice, finding: str) -> tuple[Called, ...]:
    """Return what is called present among the misses of a finding, by the names of the other findings.

    All films of the population count, whatever the label source; the misses are those by the slice's label source, if
    it has one.
    """
    population = chosen.population()
    missed = tables.where(population.of(finding))
    films = tables.where(replace(population.every_finding(), label_source=None))
    pairs = f"""(SELECT finding, film, called AS hit, missed.film IS NOT NULL AS missed
        FROM {tables.pairs} LEFT JOIN
            (SELECT DISTINCT film FROM {tables.pairs} WHERE outcome = 'miss' AND {missed.sql}) missed USING (film)
        WHERE called IS NOT NULL AND finding <> ? AND {films.sql})"""
    parameters = *missed.parameters, finding, *films.parameters
    counted = sums_by_patient(cursor, tables, pairs, ("missed", "NOT missed", "true"), parameters)
    return tuple(Called(finding, *sums) for finding, sums in counted)
