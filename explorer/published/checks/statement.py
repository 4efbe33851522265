"""A statement of a paper's text, in our words, and how many of the paper's own figures bear it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Statement:
    """`says` stands in `section` of `paper`; of the `of` comparisons it makes, `holds` are so in its tables.

    `numbers` are the figures that decide. `tables` names the printed tables they come from, `figure` the figure that
    draws them (`statement_figures.py`); empty if there is none.
    """

    paper: str
    section: str
    says: str
    holds: int
    of: int
    numbers: str
    tables: tuple[str, ...]
    figure: str = ""

    @property
    def verdict(self) -> str:
        """`holds`, `does not hold`, or `holds for 4 of 6`."""
        if self.holds == self.of:
            return "holds" if self.of == 1 else f"holds for all {self.of}"
        return f"holds for {self.holds} of {self.of}" if self.holds else "does not hold"


def same_order(one: Mapping[str, float], other: Mapping[str, float]) -> tuple[int, int]:
    """Return how many pairs of names have the same order by both figures, and how many pairs there are without ties."""
    pairs = [(a, b) for a, b in combinations(one, 2) if one[a] != one[b] and other[a] != other[b]]
    return sum((one[a] > one[b]) == (other[a] > other[b]) for a, b in pairs), len(pairs)


def count(holds: Iterable[bool]) -> tuple[int, int]:
    """Return how many are true, and how many there are."""
    every = list(holds)
    return sum(every), len(every)
