"""Bootstrap 95 % intervals, by patient, of a finding's average precision, AUROC and score shift, and of their
differences between centers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance.performance_table import ALL_CENTERS, has_weights, natural_prevalence
from explorer.analysis.performance.side_figures import side_figures
from explorer.analysis.performance.two_sides import RANKING_MEASURES, CenterGap, FindingSides, SliceMeasure
from explorer.core.arrays import Counts, Floats
from explorer.metrics.bootstrap import Bootstrap, bootstrap
from explorer.metrics.bootstrap import percentile_interval as percentile_interval
from explorer.metrics.metrics import Metric, auroc, average_precision
from explorer.metrics.patient_ids import patient_numbers
from explorer.metrics.resamples import resamples_of

if TYPE_CHECKING:
    from explorer.store.results import Column


@dataclass(frozen=True, slots=True)
class CellInterval:
    """A value with its interval; `undefined` counts resamples with only one class, which are left out.

    `natural` is average precision at natural prevalence, on the same resamples with weighted films; its `chance` is the
    weighted prevalence. `auroc` uses the same resamples as average precision.
    """

    value: float | None
    interval: tuple[float, float] | None
    undefined: int
    natural: CellInterval | None = None  # None if films have no weights
    chance: float | None = None  # only at natural prevalence
    auroc: CellInterval | None = None  # None for a score shift

    @classmethod
    def of(cls, result: Bootstrap) -> CellInterval:
        """Take the first finding's result; without an interval if all resamples agree, as happens with few films."""
        value, low, high = (float(each[0]) for each in (result.point, result.low, result.high))
        known = low < high
        return cls(None if np.isnan(value) else value, (low, high) if known else None, int(result.undefined[0]))


@dataclass(frozen=True, slots=True)
class FindingIntervals:
    """A finding's intervals by center, including ALL_CENTERS, and the differences of center pairs by measure."""

    cells: dict[str, CellInterval]
    gaps: dict[SliceMeasure, tuple[CenterGap, ...]]  # empty with fewer than two centers


def finding_intervals(
    column: Column, centers: tuple[str, ...], between: tuple[str, ...], resamples: int, seed: int
) -> FindingIntervals:
    """Return intervals of average precision for labeled centers, and of the shift of the median score for the others.

    Differences are second minus first center, for each pair of `between`. Each center's patients are resampled
    separately.
    """
    gaps = _gaps(column, between, resamples, seed) if between else {}
    return FindingIntervals(_cells(column, centers, resamples, seed), gaps)


def _gaps(
    column: Column, between: Sequence[str], resamples: int, seed: int
) -> dict[SliceMeasure, tuple[CenterGap, ...]]:
    """Return the differences that a comparison of slices of these centers would show."""
    sides = side_figures(FindingSides.of_centers(column, between), resamples, seed, RANKING_MEASURES)
    return {
        measure: tuple(
            CenterGap(between[one], between[other], sides.difference(measure, other, one))
            for one, other in combinations(range(len(between)), 2)
        )
        for measure in RANKING_MEASURES
    }


def _cells(column: Column, centers: tuple[str, ...], resamples: int, seed: int) -> dict[str, CellInterval]:
    units, labelled = patient_numbers(column.patient), ~np.isnan(column.label)
    done = {ALL_CENTERS: _precision(column, labelled, units, resamples, seed)}
    for center in centers:
        here = column.center == center
        if (here & labelled).any():
            done[center] = _precision(column, here & labelled, units, resamples, seed)
        else:
            done[center] = _shift(column.score, here, labelled, units, resamples, seed)
    return done


def _precision(
    column: Column, films: NDArray[np.bool_], units: NDArray[np.int64], resamples: int, seed: int
) -> CellInterval:
    labels, scores, weights = column.label[films], column.score[films], column.weight[films]
    if len(np.unique(labels)) < 2:
        return CellInterval(None, None, resamples)

    def drawn(metric: Metric, weights: NDArray[np.float64] | None = None) -> CellInterval:
        drawn_units = units[films]
        return CellInterval.of(
            bootstrap(labels[:, None], scores[:, None], metric, resamples, seed, drawn_units, weights)
        )

    plain = replace(drawn(average_precision), auroc=drawn(auroc))
    if not has_weights(labels, weights):
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
) -> CellInterval:
    """Return the difference of medians; both sides are resampled independently because they share no patients."""
    if not here.any() or not there.any():
        return CellInterval(None, None, resamples)
    sides = enumerate((here, there))
    one, other = (_medians(scores[films], units[films], resamples, seed, stream) for stream, films in sides)
    value = float(np.median(scores[here]) - np.median(scores[there]))
    fewest = min(len(np.unique(units[side])) for side in (here, there))
    low, high = percentile_interval(one - other, fewest)
    return CellInterval(value, (low, high) if low < high else None, 0)


def _medians(
    scores: NDArray[np.floating], units: NDArray[np.int64], resamples: int, seed: int, stream: int
) -> NDArray[np.float64]:
    """Return the median of each resample (resamples,); of an even number, the mean of the middle two."""
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
