"""What tells the films of a cluster from the others: filters' values that they have more often, with how often."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from explorer.analysis.slice_discovery.candidate_facets import Facet
from explorer.analysis.slice_discovery.finding_films import Booleans
from explorer.core.rates import Rate
from explorer.metrics.exact_test import more_often_p
from explorer.metrics.paired_rows import benjamini_hochberg

MOST = 3  # facets that are named
TIMES = 1.5  # as often as among the others, at least
CHANCE = 0.05  # adjusted p, at most


@dataclass(frozen=True, slots=True)
class MoreOften:
    """A facet of a cluster's films: how many of them have it, and how many of the others."""

    facet: Facet
    here: Rate
    rest: Rate


def more_often(inside: Booleans, facets: Iterable[tuple[Facet, Booleans]]) -> tuple[MoreOften, ...]:
    """The facets that the films inside (n,) have more often than the others, the plainest first, by adjusted p."""
    found = []
    for facet, has in facets:
        here = Rate(int((has & inside).sum()), int(inside.sum()))
        rest = Rate(int((has & ~inside).sum()), int((~inside).sum()))
        found.append((MoreOften(facet, here, rest), more_often_p(here, rest)))
    adjusted = benjamini_hochberg(np.array([p for _, p in found], dtype=np.float64))
    told = [
        (p, each)
        for (each, p), chance in zip(found, adjusted, strict=True)
        if chance <= CHANCE and (each.here.value or 0) >= TIMES * (each.rest.value or 0)
    ]
    return tuple(each for _, each in sorted(told, key=lambda pair: pair[0])[:MOST])
