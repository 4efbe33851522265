"""What the films of a map are colored by: outcome or score of a finding, group of the rarest finding, center.

A film has a code, the place of its entry; films outside the slice's population have OUTSIDE.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import FrequencyGroup, Outcome
from explorer.core.outcomes import NO_OUTCOME, OUTCOMES, outcomes
from explorer.store.filter_registry import LASSO
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

Color = Literal["outcome", "score", "group", "center"]
COLORS: tuple[Color, ...] = get_args(Color)
OF_FINDING: tuple[Color, ...] = ("outcome", "score")  # they need one
OUTSIDE = 255
STEPS = 250  # of the scale of scores
TICKS = 5
MOST_CENTERS = 7  # with a color of their own: the largest
NO_OUTCOME_WORDS, OTHER_CENTERS, NO_GROUP = "no outcome", "other centers", "none of these groups"
RAREST_FIRST = (
    FrequencyGroup.VERY_RARE,
    FrequencyGroup.RARE,
    FrequencyGroup.MEDIUM,
    FrequencyGroup.COMMON,
    FrequencyGroup.NORMAL,
)
Codes = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Entry:
    """A color's meaning, and how many films of the map have it. `value`: what a filter calls it, where one does."""

    name: str
    films: int
    value: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Colored:
    """Codes (n,) of the map's films. `ticks` are scores along the scale, its least first, where codes are steps of it.

    `chosen` (n,) are the films of the slice itself, whatever area they lie in.
    """

    by: Color
    codes: Codes
    entries: tuple[Entry, ...]
    ticks: tuple[float, ...]
    chosen: NDArray[np.bool_]


def population_of(asked: Slice) -> Slice:
    """What is colored: the slice's films whatever the model said of them and wherever they lie."""
    return asked.population().without(LASSO)


def colored(store: Store, asked: Slice, films: NDArray[np.int64], by: Color) -> Colored:
    """The map's films, given by their numbers (n,), by one of COLORS.

    Raises ValueError where that needs a finding and the slice has none.
    """
    everywhere = asked.without(LASSO)
    chosen = np.isin(films, store.films(everywhere))
    if by in OF_FINDING:
        if asked.finding is None:
            raise ValueError(f"{by} is of a finding.")
        return _of_finding(store, asked, asked.finding, films, by, chosen)
    find = _groups if by == "group" else _centers
    here = np.isin(films, store.films(population_of(asked)))
    code, names = find(store, asked, films)
    codes = np.where(here, code, OUTSIDE).astype(np.uint8)
    counts = np.bincount(codes, minlength=OUTSIDE + 1)
    entries = tuple(Entry(name, int(counts[place]), value) for place, (name, value) in enumerate(names))
    return Colored(by, codes, entries, (), chosen)


def _of_finding(
    store: Store, asked: Slice, finding: str, films: NDArray[np.int64], by: Color, chosen: NDArray[np.bool_]
) -> Colored:
    column = store.column(asked.without(LASSO), finding)
    row = np.full(int(max(films.max(initial=0), column.case.max(initial=0))) + 1, -1)
    row[column.case] = np.arange(len(column.case))
    row = row[films]
    there = row >= 0
    codes = np.full(len(films), OUTSIDE, np.uint8)
    if by == "outcome":
        codes[there] = outcomes(column.label, column.score, column.threshold)[row[there]]
        counts = np.bincount(codes, minlength=OUTSIDE + 1)
        words = [(str(each), str(each)) for each in OUTCOMES] + [(NO_OUTCOME_WORDS, None)]
        entries = tuple(Entry(name, int(counts[place]), value) for place, (name, value) in enumerate(words))
        return Colored(by, codes, entries if counts[NO_OUTCOME] else entries[:NO_OUTCOME], (), chosen)
    scores = column.score[row[there]].astype(np.float64)
    codes[there] = steps_of(scores)
    ticks = np.quantile(scores, np.linspace(0, 1, TICKS)).tolist() if len(scores) else []
    return Colored(by, codes, (Entry("scored", int(there.sum())),), tuple(ticks), chosen)


def steps_of(scores: NDArray[np.float64]) -> Codes:
    """The step of each score (n,): its rank among them, equal ones alike, from 0 to STEPS - 1."""
    ordered = np.sort(scores)
    below = np.searchsorted(ordered, scores, "left") + np.searchsorted(ordered, scores, "right")
    steps: Codes = np.minimum(below * STEPS // max(2 * len(scores), 1), STEPS - 1).astype(np.uint8)
    return steps


def _groups(store: Store, asked: Slice, films: NDArray[np.int64]) -> tuple[Codes, Sequence[tuple[str, str | None]]]:
    """The group of the rarest finding that is present and has a threshold."""
    base = replace(population_of(asked), finding=None, task=None, outcomes=(Outcome.HIT, Outcome.MISS))
    code = np.full(len(films), len(RAREST_FIRST), np.uint8)
    for place in reversed(range(len(RAREST_FIRST))):  # the rarest last: it counts
        code[np.isin(films, store.films(replace(base, group=RAREST_FIRST[place])))] = place
    return code, [*((str(group), str(group)) for group in RAREST_FIRST), (NO_GROUP, None)]


def _centers(store: Store, asked: Slice, films: NDArray[np.int64]) -> tuple[Codes, Sequence[tuple[str, str | None]]]:
    """The largest centers by films, then the others together."""
    center = store.film_facts(asked.cohort).center
    counts = store.facets(asked.cohort, asked.model).of_films["center"]
    largest = sorted(counts, key=lambda name: (-counts[name], name))[:MOST_CENTERS]
    named = {name: place for place, name in enumerate(sorted(largest))}
    code = np.array([named.get(name, len(named)) for name in center[films]], np.uint8)
    others = [(OTHER_CENTERS, None)] if len(counts) > len(named) else []
    return code, [*((name, name) for name in named), *others]
