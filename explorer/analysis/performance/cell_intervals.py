"""The 95 % intervals of a finding's average precision, AUROC and score shift, and of what two centers differ by: exact
bootstrap over whole patients.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance.performance_table import ALL, natural_prevalence, weighted
from explorer.analysis.performance.side_figures import side_figures
from explorer.analysis.performance.two_sides import (
    BETWEEN_CENTERS,
    CenterGap,
    Measured,
    Sides,
    adjusted_together,
    largest_gap,
)
from explorer.core.arrays import Counts, Floats
from explorer.metrics.bootstrap import Bootstrap, bootstrap
from explorer.metrics.bootstrap import interval as percentile_interval
from explorer.metrics.metrics import Metric, auroc, average_precision
from explorer.metrics.patient_ids import numbered
from explorer.metrics.resamples import resamples_of

if TYPE_CHECKING:
    from explorer.store.results import Column


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with its interval; `undefined` resamples had one class only and are left out of it.

    `natural` is the same of average precision at natural prevalence: the same resamples, each film times its weight.
    `chance` is the prevalence there. `auroc` stands beside average precision, on the same resamples.
    """

    value: float | None
    interval: tuple[float, float] | None
    undefined: int
    natural: Interval | None = None  # None where films have no weights
    chance: float | None = None  # None but at natural prevalence
    auroc: Interval | None = None  # None beside a shift

    @classmethod
    def of(cls, result: Bootstrap) -> Interval:
        """That of the first finding; no interval where every resample is the same: few films look like certainty."""
        value, low, high = (float(each[0]) for each in (result.point, result.low, result.high))
        known = low < high
        return cls(None if np.isnan(value) else value, (low, high) if known else None, int(result.undefined[0]))


@dataclass(frozen=True, slots=True)
class FindingIntervals:
    """What is known of a finding: by center, ALL among them; and what each two centers differ by in each measure."""

    cells: dict[str, Interval]
    gaps: dict[Measured, tuple[CenterGap, ...]]  # empty where there are no two centers


def intervals_of(
    column: Column, centers: tuple[str, ...], between: tuple[str, ...], resamples: int, seed: int
) -> FindingIntervals:
    """Average precision where there are labels, else the shift of the scores' median; of each two centers of `between`
    the second minus the first.

    Each center is resampled alone, its patients as a whole.
    """
    gaps = _gaps(column, between, resamples, seed) if between else {}
    return FindingIntervals(_cells(column, centers, resamples, seed), gaps)


def shown_gaps(
    gaps: Mapping[str, Mapping[Measured, Sequence[CenterGap]]], *, complete: bool
) -> dict[str, dict[Measured, CenterGap]]:
    """By finding and measure the gap to show; once all are there, p is adjusted over findings, measures and pairs."""
    every = [gap for measures in gaps.values() for pairs in measures.values() for gap in pairs]
    if complete:
        adjusted = adjusted_together([gap.difference for gap in every])
        every = [replace(gap, difference=each) for gap, each in zip(every, adjusted, strict=True)]
    following = iter(every)
    return {
        finding: {measure: largest_gap([next(following) for _ in pairs]) for measure, pairs in measures.items()}
        for finding, measures in gaps.items()
    }


def _gaps(column: Column, between: Sequence[str], resamples: int, seed: int) -> dict[Measured, tuple[CenterGap, ...]]:
    """As slices of these centers beside each other differ: see `explorer.analysis.performance.compare`."""
    sides = side_figures(Sides.of_centers(column, between), resamples, seed, BETWEEN_CENTERS)
    return {
        measure: tuple(
            CenterGap(between[one], between[other], sides.difference(measure, other, one))
            for one, other in combinations(range(len(between)), 2)
        )
        for measure in BETWEEN_CENTERS
    }


def _cells(column: Column, centers: tuple[str, ...], resamples: int, seed: int) -> dict[str, Interval]:
    units, labelled = numbered(column.patient), ~np.isnan(column.label)
    done = {ALL: _precision(column, labelled, units, resamples, seed)}
    for center in centers:
        here = column.center == center
        if (here & labelled).any():
            done[center] = _precision(column, here & labelled, units, resamples, seed)
        else:
            done[center] = _shift(column.score, here, labelled, units, resamples, seed)
    return done


def _precision(
    column: Column, films: NDArray[np.bool_], units: NDArray[np.int64], resamples: int, seed: int
) -> Interval:
    labels, scores, weights = column.label[films], column.score[films], column.weight[films]
    if len(np.unique(labels)) < 2:
        return Interval(None, None, resamples)

    def drawn(metric: Metric, weights: NDArray[np.float64] | None = None) -> Interval:
        drawn_units = units[films]
        return Interval.of(bootstrap(labels[:, None], scores[:, None], metric, resamples, seed, drawn_units, weights))

    plain = replace(drawn(average_precision), auroc=drawn(auroc))
    if not weighted(labels, weights):
        return plain
    natural = replace(drawn(average_precision, weights), chance=natural_prevalence(labels, weights))
    return replace(plain, natural=natural)


def _shift(
    scores: NDArray[np.floating],
    here: NDArray[np.bool_],
    there: NDArray[np.bool_],
    units: NDArray[np.int64],
    resamples: int,
    seed: int,
) -> Interval:
    """Difference of the medians, the two sides resampled independently: other films, other patients."""
    if not here.any() or not there.any():
        return Interval(None, None, resamples)
    sides = enumerate((here, there))
    one, other = (_medians(scores[films], units[films], resamples, seed, stream) for stream, films in sides)
    value = float(np.median(scores[here]) - np.median(scores[there]))
    fewest = min(len(np.unique(units[side])) for side in (here, there))
    low, high = percentile_interval(one - other, fewest)
    return Interval(value, (low, high) if low < high else None, 0)


def _medians(
    scores: NDArray[np.floating], units: NDArray[np.int64], resamples: int, seed: int, stream: int
) -> NDArray[np.float64]:
    """The median of each resample (resamples,), with the mean of the middle two of an even number."""
    order = np.argsort(scores, kind="stable")
    ranked = scores[order].astype(np.float64)

    def middle(counts: Counts) -> Floats:
        up_to = counts[:, order].cumsum(axis=1)
        films = up_to[:, -1]
        low, high = ((up_to >= nth[:, None]).argmax(axis=1) for nth in ((films + 1) // 2, films // 2 + 1))
        medians: Floats = (ranked[low] + ranked[high]) / 2
        return medians[:, None]

    drawn = resamples_of(len(scores), resamples, seed, units, None, stream)
    return drawn.evaluate(middle)[:, 0]
