"""Sensitivity and specificity by center, and differences of rates, with intervals clustered by patient."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from explorer.analysis.performance.two_sides import RATE_MEASURES, CenterGap, Difference, FindingSides, RateMeasure
from explorer.core.arrays import or_none
from explorer.core.findings import Outcome
from explorer.core.outcomes import OUTCOMES
from explorer.core.rates import Rate
from explorer.metrics.clustered_rates import RateDifferences, RateSums

if TYPE_CHECKING:
    from explorer.store.queries.patient_counts import PatientCounts

# Outcomes that a rate counts: the right ones, then the wrong ones.
_COUNTED: Mapping[RateMeasure, list[int]] = MappingProxyType(
    {
        "sensitivity": [OUTCOMES.index(each) for each in (Outcome.HIT, Outcome.MISS)],
        "specificity": [OUTCOMES.index(each) for each in (Outcome.CORRECT_REJECTION, Outcome.FALSE_ALARM)],
    }
)


def center_rates(counts: PatientCounts | None, measure: RateMeasure) -> dict[str, Rate]:
    """Return a finding's rate at each center that has films with an outcome."""
    if counts is None:
        return {}
    sums = _by_center(counts, measure)
    return {center: sums.rate(place) for place, center in enumerate(counts.centers)}


def rate_of_all(counts: PatientCounts | None, measure: RateMeasure) -> Rate:
    """Return a finding's rate at all centers together."""
    if counts is None:
        return Rate(0, 0)
    sums = _by_center(counts, measure)
    films, products = sums.films.sum(axis=0, keepdims=True), sums.products.sum(axis=(0, 2))[None, :, None]
    return RateSums(films, products, counts.patients[-1:, RATE_MEASURES.index(measure)]).rate()


def center_differences(
    counts: PatientCounts | None, measure: RateMeasure, between: Sequence[str]
) -> tuple[CenterGap, ...]:
    """Return the differences of all pairs of these centers, second minus first, with p still unadjusted."""
    pairs = list(combinations(between, 2))
    places = {} if counts is None else {center: place for place, center in enumerate(counts.centers)}
    there = [place for place, pair in enumerate(pairs) if set(pair) <= places.keys()]
    found = [Difference(None)] * len(pairs)
    if counts is not None and there:
        first, second = (np.array([places[pairs[place][end]] for place in there]) for end in (0, 1))
        differences = _by_center(counts, measure).differences(second, first)
        for row, place in enumerate(there):
            found[place] = _difference(differences, row)
    return tuple(CenterGap(*pair, each) for pair, each in zip(pairs, found, strict=True))


def difference_of_sides(sides: FindingSides, measure: RateMeasure) -> Difference:
    """Return the first side's rate minus the second's, whether or not they share films or patients."""
    labels, calls = np.stack(sides.labels, axis=1), np.stack(sides.calls, axis=1)
    right = calls == (measure == "sensitivity")
    counted = (labels == (measure == "sensitivity")) & ~np.isnan(calls)
    sums = RateSums.of(right, counted, sides.units)
    return _difference(sums.differences(np.array([0]), np.array([1])), 0)


def _difference(differences: RateDifferences, row: int) -> Difference:
    """Return one of several differences; without a value if one of its rates has no films."""
    value = or_none(differences.value[row])
    if value is None:
        return Difference(None)
    low, high = float(differences.low[row]), float(differences.high[row])
    if low == high:  # the same calls on the same films
        return Difference(value)
    return Difference(value, (low, high), p=float(differences.p[row]))


def _by_center(counts: PatientCounts, measure: RateMeasure) -> RateSums:
    """Return the sums behind the rates of all centers."""
    counted = _COUNTED[measure]
    products = counts.products[:, counted][:, :, :, counted]
    return RateSums(counts.films[:, counted], products, counts.patients[:-1, RATE_MEASURES.index(measure)])
