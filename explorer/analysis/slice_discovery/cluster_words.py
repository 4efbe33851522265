"""Names a cluster by the facets that are overrepresented among its films.

Only films that can show the failure are compared: films with the finding for misses, films without it for false
alarms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.slice_discovery.candidate_facets import Facet
from explorer.core.rates import Rate
from explorer.metrics.exact_test import more_often_p
from explorer.metrics.paired_rows import benjamini_hochberg
from explorer.store.filter_words import FILMS_BY_FINDINGS
from models.array_types import Bools

MAX_NAMED_FACETS = 3  # facets named per cluster
MIN_DIFFERENCE = 0.15  # smallest difference of shares between cluster and other films
MIN_ADDED_DIFFERENCE = 0.05  # smallest difference beyond what the facets named before explain
MAX_FACET_P = 0.05  # largest adjusted p
MOSTLY_SHARE = 0.5  # a share above this reads "mostly"
_OTHER = "also_present"  # unlike other fields, this one may have several values


@dataclass(frozen=True, slots=True)
class OverrepresentedFacet:
    """A facet's rate among a cluster's films (`here`) and among the others (`rest`)."""

    facet: Facet
    here: Rate
    rest: Rate

    @property
    def films(self) -> str:
        """The films with the facet: `films with Edema`, `AP films`."""
        if self.facet.field == _OTHER:
            return "normal films" if self.facet.value == "Normal" else f"films with {self.facet.value}"
        return FILMS_BY_FINDINGS[self.facet.value] if self.facet.field == "findings" else self.facet.words


def overrepresented_facets(inside: Bools, facets: Iterable[tuple[Facet, Bools]]) -> tuple[OverrepresentedFacet, ...]:
    """Return facets that are more frequent among the films inside (n,) than among the others, strongest first.

    Each next facet is judged by the Mantel-Haenszel difference over strata of those already chosen, so that correlated
    facets are not repeated. A filter contributes one value; other findings may contribute several.
    """
    left = [
        (has, each)
        for has, each in _significant(inside, facets)
        if _share(each.here) - _share(each.rest) >= MIN_DIFFERENCE
    ]
    stratum = np.zeros(len(inside), dtype=np.int64)
    named: list[OverrepresentedFacet] = []
    while left and len(named) < MAX_NAMED_FACETS:
        differences = [_stratified_difference(inside, has, stratum) for has, _ in left]
        best = int(np.argmax(differences))
        if differences[best] < MIN_ADDED_DIFFERENCE:
            break
        has, chosen = left[best]
        named.append(chosen)
        stratum = 2 * stratum + has
        left = [(has, each) for has, each in left if each is not chosen and not _same_filter(each, chosen)]
    return tuple(named)


def cluster_name(marks: Sequence[OverrepresentedFacet]) -> str:
    """Return a name such as `Mostly AP films, at B; more often films with Edema`; empty without marks."""
    most = ", ".join(each.films for each in marks if _share(each.here) > MOSTLY_SHARE)
    some = ", ".join(each.films for each in marks if _share(each.here) <= MOSTLY_SHARE)
    if most and some:
        return f"Mostly {most}; more often {some}"
    return f"Mostly {most}" if most else f"More often {some}" if some else ""


def _significant(inside: Bools, facets: Iterable[tuple[Facet, Bools]]) -> Iterator[tuple[Bools, OverrepresentedFacet]]:
    """Return facets whose difference is significant after adjustment."""
    found = []
    for facet, has in facets:
        if not has.any():  # for example an appearance, on films without the finding
            continue
        here = Rate(int((has & inside).sum()), int(inside.sum()))
        rest = Rate(int((has & ~inside).sum()), int((~inside).sum()))
        found.append((has, OverrepresentedFacet(facet, here, rest)))
    adjusted = benjamini_hochberg(np.array([more_often_p(each.here, each.rest) for _, each in found], np.float64))
    return (pair for pair, p in zip(found, adjusted, strict=True) if p <= MAX_FACET_P)


def _stratified_difference(inside: Bools, has: Bools, stratum: NDArray[np.int64]) -> float:
    """Return the Mantel-Haenszel difference of two shares; 0 if no stratum has films on both sides."""
    above = below = 0.0
    for each in np.unique(stratum):
        here, rest = inside & (stratum == each), ~inside & (stratum == each)
        n, others = int(here.sum()), int(rest.sum())
        if n and others:
            weight = n * others / (n + others)
            above += weight * (float(has[here].mean()) - float(has[rest].mean()))
            below += weight
    return above / below if below else 0.0


def _same_filter(one: OverrepresentedFacet, other: OverrepresentedFacet) -> bool:
    return one.facet.field == other.facet.field != _OTHER


def _share(rate: Rate) -> float:
    return rate.value or 0.0
