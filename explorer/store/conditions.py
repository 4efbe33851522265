"""Conditions of filters on (film, finding) pairs: as SQL with bound values, and as a test of one pair in Python.

Tables, exports, counts by bit masks, and whether a case is in a slice all derive from these conditions. A pair has the
columns `finding`, `outcome`, `score`, `source` and `whole` (the row for all label sources combined), `relation` if
another model is compared, and those of its film, including `place` on the map.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from explorer.core.map_area import MapArea, edges

Row = Mapping[str, object]
PLACE = "place"  # a row's (x, y) on the map of the slice's model; None if its film is not on it
FILM_CALLS = "calls"  # a row's set of findings that the model calls present on its film
FILM_HAS = "has"  # a row's set of findings that its film is labeled with


@dataclass(frozen=True, slots=True)
class Where:
    """An SQL condition with a value for each of its question marks."""

    sql: str
    parameters: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class PairTable:
    """Names of tables and columns: the table of the model's pairs, the column that identifies a film, and the tables
    of appearances, of cases, and of positions on the model's map, which have the same column.
    """

    pairs: str = "pairs"
    film: str = "film"
    appearances: str = "appearances"
    cases: str = "cases"
    places: str = "places"


class Condition(Protocol):
    """A condition on one column of a pair."""

    @property
    def column(self) -> str: ...
    def where(self, source: PairTable) -> Where: ...
    def holds(self, row: Row) -> bool: ...


def where(conditions: Iterable[Condition], source: PairTable = PairTable()) -> Where:  # noqa: B008 - frozen
    """Combine conditions with AND; `true` for none."""
    parts = [condition.where(source) for condition in conditions]
    return Where(
        " AND ".join(part.sql for part in parts) or "true",
        tuple(value for part in parts for value in part.parameters),
    )


@dataclass(frozen=True, slots=True)
class Whole:
    """The pair's row for all label sources combined."""

    column: str = "whole"

    def where(self, source: PairTable) -> Where:
        return Where("whole", ())

    def holds(self, row: Row) -> bool:
        return bool(row[self.column])


@dataclass(frozen=True, slots=True)
class Equals:
    """A column equals a value."""

    column: str
    value: object

    def where(self, source: PairTable) -> Where:
        return Where(f"{self.column} = ?", (self.value,))

    def holds(self, row: Row) -> bool:
        return row[self.column] == self.value


@dataclass(frozen=True, slots=True)
class Looks(Equals):
    """A column of the finding's appearance equals a value; pairs without an appearance fail."""

    def where(self, source: PairTable) -> Where:
        pair = f"{source.film}, finding"
        return Where(f"({pair}) IN (SELECT {pair} FROM {source.appearances} WHERE {self.column} = ?)", (self.value,))


@dataclass(frozen=True, slots=True)
class Among:
    """A column has one of several values."""

    column: str
    values: tuple[str, ...]

    def where(self, source: PairTable) -> Where:
        marks = ", ".join("?" * len(self.values))
        return Where(f"{self.column} IN ({marks})" if marks else "false", self.values)

    def holds(self, row: Row) -> bool:
        return row[self.column] in self.values


@dataclass(frozen=True, slots=True)
class AtLeast:
    """A score is at least a bound."""

    column: str
    bound: float

    def where(self, source: PairTable) -> Where:
        return Where(f"{self.column} >= ?::FLOAT", (_first_score(self.bound),))

    def holds(self, row: Row) -> bool:
        return _score(row[self.column]) >= self.bound


@dataclass(frozen=True, slots=True)
class Below:
    """A score is below a bound."""

    column: str
    bound: float

    def where(self, source: PairTable) -> Where:
        return Where(f"{self.column} < ?::FLOAT", (_first_score(self.bound),))

    def holds(self, row: Row) -> bool:
        return _score(row[self.column]) < self.bound


@dataclass(frozen=True, slots=True)
class OnFilm:
    """The film's pair for another finding meets an SQL condition; a column of the row lists the findings that do."""

    finding: str
    column: str
    demand: str

    def where(self, source: PairTable) -> Where:
        film, pairs = source.film, source.pairs
        return Where(f"{film} IN (SELECT {film} FROM {pairs} WHERE finding = ? AND {self.demand})", (self.finding,))

    def holds(self, row: Row) -> bool:
        those = row[self.column]
        return isinstance(those, frozenset) and self.finding in those


def film_calls(finding: str) -> OnFilm:
    """Require that the model calls this finding present on the pair's film."""
    return OnFilm(finding, FILM_CALLS, "called")


def film_has(finding: str) -> OnFilm:
    """Require that the film is labeled present with this finding, by the labels that count by default."""
    return OnFilm(finding, FILM_HAS, "whole AND label = 'present'")


@dataclass(frozen=True, slots=True)
class CaseAmong:
    """The pair's case is one of these."""

    cases: tuple[str, ...]
    column: str = "case"

    def where(self, source: PairTable) -> Where:
        chosen = f'SELECT {source.film} FROM {source.cases} WHERE "case" IN (SELECT unnest(?::VARCHAR[]))'
        return Where(f"{source.film} IN ({chosen})", (self.cases,))

    def holds(self, row: Row) -> bool:
        return row[self.column] in self.cases


@dataclass(frozen=True, slots=True)
class InArea:
    """The film lies in an area of the model's map."""

    area: MapArea
    column: str = PLACE

    def where(self, source: PairTable) -> Where:
        film, sides = source.film, list(edges(self.area.corners))
        passed = " + ".join(["(y >= ? AND y < ? AND (x - ?) * ? < ? * (y - ?))::INTEGER"] * len(sides))
        values = (value for side in sides for value in (side.y, side.y + side.up, side.x, side.up, side.right, side.y))
        # y first: most films lie outside, and every side costs a comparison
        low, high = min(side.y for side in sides), max(side.y + side.up for side in sides)
        return Where(
            f"{film} IN (SELECT {film} FROM {source.places} WHERE y >= ? AND y < ? AND ({passed}) % 2 = 1)",
            (low, high, *values),
        )

    def holds(self, row: Row) -> bool:
        place = row[self.column]
        return isinstance(place, tuple) and self.area.holds(*place)


def _score(value: object) -> float:
    assert isinstance(value, float)
    return value


def _first_score(bound: float) -> float:
    """Return the smallest float32 that is at least the bound."""
    nearest = np.float32(bound)
    return float(nearest if float(nearest) >= bound else np.nextafter(nearest, np.float32(np.inf)))
