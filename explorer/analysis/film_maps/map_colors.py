"""Colors a map's films by a finding's outcome or score, by the group of the rarest finding, or by center.

A film's code is the index of its legend entry; films outside the slice's population have code OUTSIDE.
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

MapColor = Literal["outcome", "score", "group", "center"]
MAP_COLORS: tuple[MapColor, ...] = get_args(MapColor)
FINDING_COLORS: tuple[MapColor, ...] = ("outcome", "score")  # these need a finding
OUTSIDE = 255
SCORE_STEPS = 250  # color steps of the score scale
SCORE_TICKS = 5
MAX_COLORED_CENTERS = 7  # at most this many centers, the largest, have a color of their own
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
class LegendEntry:
    """A legend entry with its number of films; `value` is the matching filter value, if any."""

    name: str
    films: int
    value: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ColoredMap:
    """Color codes (n,) of the map's films; for a score scale, `ticks` are its scores in ascending order.

    `chosen` (n,) marks the slice's films, regardless of a lasso.
    """

    by: MapColor
    codes: Codes
    entries: tuple[LegendEntry, ...]
    ticks: tuple[float, ...]
    chosen: NDArray[np.bool_]


def colored_population(shown_slice: Slice) -> Slice:
    """Return the slice's population without its lasso, which is what gets colored."""
    return shown_slice.population().without(LASSO)


def color_map(store: Store, shown_slice: Slice, films: NDArray[np.int64], by: MapColor) -> ColoredMap:
    """Color the map's films, given by number (n,).

    Raises ValueError if the coloring needs a finding and the slice has none.
    """
    everywhere = shown_slice.without(LASSO)
    chosen = np.isin(films, store.films(everywhere))
    if by in FINDING_COLORS:
        if shown_slice.finding is None:
            raise ValueError(f"Coloring by {by} needs a finding.")
        return _of_finding(store, shown_slice, shown_slice.finding, films, by, chosen)
    find = _groups if by == "group" else _centers
    here = np.isin(films, store.films(colored_population(shown_slice)))
    code, names = find(store, shown_slice, films)
    codes = np.where(here, code, OUTSIDE).astype(np.uint8)
    counts = np.bincount(codes, minlength=OUTSIDE + 1)
    entries = tuple(LegendEntry(name, int(counts[place]), value) for place, (name, value) in enumerate(names))
    return ColoredMap(by, codes, entries, (), chosen)


def _of_finding(
    store: Store, shown_slice: Slice, finding: str, films: NDArray[np.int64], by: MapColor, chosen: NDArray[np.bool_]
) -> ColoredMap:
    column = store.column(shown_slice.without(LASSO), finding)
    row = np.full(int(max(films.max(initial=0), column.case.max(initial=0))) + 1, -1)
    row[column.case] = np.arange(len(column.case))
    row = row[films]
    there = row >= 0
    codes = np.full(len(films), OUTSIDE, np.uint8)
    if by == "outcome":
        codes[there] = outcomes(column.label, column.score, column.threshold)[row[there]]
        counts = np.bincount(codes, minlength=OUTSIDE + 1)
        words = [(str(each), str(each)) for each in OUTCOMES] + [(NO_OUTCOME_WORDS, None)]
        entries = tuple(LegendEntry(name, int(counts[place]), value) for place, (name, value) in enumerate(words))
        return ColoredMap(by, codes, entries if counts[NO_OUTCOME] else entries[:NO_OUTCOME], (), chosen)
    scores = column.score[row[there]].astype(np.float64)
    codes[there] = score_steps(scores)
    ticks = np.quantile(scores, np.linspace(0, 1, SCORE_TICKS)).tolist() if len(scores) else []
    return ColoredMap(by, codes, (LegendEntry("scored", int(there.sum())),), tuple(ticks), chosen)


def score_steps(scores: NDArray[np.float64]) -> Codes:
    """Return each score's color step (n,), from its mid-rank, in 0 to SCORE_STEPS - 1."""
    ordered = np.sort(scores)
    below = np.searchsorted(ordered, scores, "left") + np.searchsorted(ordered, scores, "right")
    steps: Codes = np.minimum(below * SCORE_STEPS // max(2 * len(scores), 1), SCORE_STEPS - 1).astype(np.uint8)
    return steps


def _groups(
    store: Store, shown_slice: Slice, films: NDArray[np.int64]
) -> tuple[Codes, Sequence[tuple[str, str | None]]]:
    """Return codes by the frequency group of the rarest present finding with a threshold."""
    base = replace(colored_population(shown_slice), finding=None, task=None, outcomes=(Outcome.HIT, Outcome.MISS))
    code = np.full(len(films), len(RAREST_FIRST), np.uint8)
    for place in reversed(range(len(RAREST_FIRST))):  # the rarest last, so that it wins
        code[np.isin(films, store.films(replace(base, group=RAREST_FIRST[place])))] = place
    return code, [*((str(group), str(group)) for group in RAREST_FIRST), (NO_GROUP, None)]


def _centers(
    store: Store, shown_slice: Slice, films: NDArray[np.int64]
) -> tuple[Codes, Sequence[tuple[str, str | None]]]:
    """Return codes of the largest centers, with the others merged."""
    center = store.film_facts(shown_slice.cohort).center
    counts = store.facets(shown_slice.cohort, shown_slice.model).of_films["center"]
    largest = sorted(counts, key=lambda name: (-counts[name], name))[:MAX_COLORED_CENTERS]
    named = {name: place for place, name in enumerate(sorted(largest))}
    code = np.array([named.get(name, len(named)) for name in center[films]], np.uint8)
    others = [(OTHER_CENTERS, None)] if len(counts) > len(named) else []
    return code, [*((name, name) for name in named), *others]
