"""What tells the films of a cluster from the others: filters' values that they have more often, and a name of these.

Compared are films on which the model can fail so: those with the finding where misses are meant, else those without it.
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

MOST = 3  # facets that are named
APART = 0.15  # of the films, more than of the others, at least
ADDS = 0.05  # of the films, more than the words before explain, at least
CHANCE = 0.05  # adjusted p, at most
MOSTLY = 0.5  # of the films, more than: what they mostly are
_OTHER = "also_present"  # the field of another finding: a film may have several


@dataclass(frozen=True, slots=True)
class MoreOften:
    """A facet of a cluster's films: how many of them have it, and how many of the others."""

    facet: Facet
    here: Rate
    rest: Rate

    @property
    def films(self) -> str:
        """Which films are meant: `films with Edema`, `AP films`."""
        if self.facet.field == _OTHER:
            return "normal films" if self.facet.value == "Normal" else f"films with {self.facet.value}"
        return FILMS_BY_FINDINGS[self.facet.value] if self.facet.field == "findings" else self.facet.words


def more_often(inside: Bools, facets: Iterable[tuple[Facet, Bools]]) -> tuple[MoreOften, ...]:
    """The facets that the films inside (n,) have more often than the others, what sets them apart most first.

    A facet that films have because they have one before it adds nothing: the difference that counts is Mantel and
    Haenszel's, over strata of those before. Of one filter a single value is named, of other findings several.
    """
    told = [(has, each) for has, each in _told(inside, facets) if _share(each.here) - _share(each.rest) >= APART]
    stratum = np.zeros(len(inside), dtype=np.int64)
    named: list[MoreOften] = []
    while told and len(named) < MOST:
        apart = [_apart(inside, has, stratum) for has, _ in told]
        best = int(np.argmax(apart))
        if apart[best] < ADDS:
            break
        has, chosen = told[best]
        named.append(chosen)
        stratum = 2 * stratum + has
        told = [(has, each) for has, each in told if each is not chosen and not _same_filter(each, chosen)]
    return tuple(named)


def cluster_name(marks: Sequence[MoreOften]) -> str:
    """`Mostly AP films, at B; more often films with Edema`; empty without marks."""
    most = ", ".join(each.films for each in marks if _share(each.here) > MOSTLY)
    some = ", ".join(each.films for each in marks if _share(each.here) <= MOSTLY)
    if most and some:
        return f"Mostly {most}; more often {some}"
    return f"Mostly {most}" if most else f"More often {some}" if some else ""


def _told(inside: Bools, facets: Iterable[tuple[Facet, Bools]]) -> Iterator[tuple[Bools, MoreOften]]:
    """Facets that chance does not explain."""
    found = []
    for facet, has in facets:
        if not has.any():  # a value of how the finding looks, on films without it
            continue
        here = Rate(int((has & inside).sum()), int(inside.sum()))
        rest = Rate(int((has & ~inside).sum()), int((~inside).sum()))
        found.append((has, MoreOften(facet, here, rest)))
    adjusted = benjamini_hochberg(np.array([more_often_p(each.here, each.rest) for _, each in found], np.float64))
    return (pair for pair, p in zip(found, adjusted, strict=True) if p <= CHANCE)


def _apart(inside: Bools, has: Bools, stratum: NDArray[np.int64]) -> float:
    """Mantel and Haenszel's difference of two shares; 0 where no stratum has films on both sides."""
    above = below = 0.0
    for each in np.unique(stratum):
        here, rest = inside & (stratum == each), ~inside & (stratum == each)
        n, others = int(here.sum()), int(rest.sum())
        if n and others:
            weight = n * others / (n + others)
            above += weight * (float(has[here].mean()) - float(has[rest].mean()))
            below += weight
    return above / below if below else 0.0


def _same_filter(one: MoreOften, other: MoreOften) -> bool:
    return one.facet.field == other.facet.field != _OTHER


def _share(rate: Rate) -> float:
    return rate.value or 0.0
