"""ROC and precision-recall curves of one finding by several models, with 95 % bands over resampled patients.

A curve has the area that AUROC and AP sum up: the ROC curve is straight where scores are tied, the precision-recall
curve goes by steps, nothing interpolated. A band is pointwise: at each false positive rate the sensitivities of the
resamples, at each recall their precisions; nothing is said of the whole curve at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Counts, Evaluate, Floats
from explorer.metrics.bootstrap import interval
from explorer.metrics.resamples import resamples_of
from explorer.metrics.sweep import Sweep

GRID: Floats = np.linspace(0, 1, 101)  # false positive rates, and recalls, at which bands are computed
CORNERS = 600  # of a curve that are drawn: more than a screen has pixels for
_ROUNDING = 1e-9  # of cumulative sums of weights


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """A curve's corners from the highest threshold down, both (corners,)."""

    x: Floats
    y: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Curves:
    """A model's two curves: sensitivity over false positive rate, precision over recall."""

    roc: Curve
    pr: Curve


@dataclass(frozen=True, slots=True, eq=False)
class Bands:
    """95 % percentile intervals over `GRID`, all (models, grid); NaN where undefined."""

    roc_low: Floats
    roc_high: Floats
    pr_low: Floats
    pr_high: Floats


def curves(one: FindingScores) -> tuple[Curves, ...]:
    """The curves of each model; empty where a class is missing."""
    if one.lacking:
        return ()
    counts: Counts = np.ones((1, len(one.labels))) if one.weights is None else one.weights[None]
    return tuple(_curves(Sweep.of(one.labels, scores), counts) for scores in one.scores)


def _curves(sweep: Sweep, counts: Counts) -> Curves:
    hits, false_alarms = (each[0] for each in sweep.called(counts))
    sensitivity, rate = _from_zero(hits / hits[-1]), _from_zero(false_alarms / false_alarms[-1])
    turns = np.flatnonzero((np.diff(sensitivity, prepend=-1) > 0) | (np.diff(sensitivity, append=2) > 0))
    steps = np.flatnonzero(np.diff(hits, prepend=0) > 0)
    turns, steps = _thinned(turns), _thinned(steps)
    precision = hits[steps] / (hits[steps] + false_alarms[steps])
    return Curves(Curve(rate[turns], sensitivity[turns]), Curve(hits[steps] / hits[-1], precision))


def _from_zero(rates: Floats) -> Floats:
    return np.concatenate([[0.0], rates])


def _thinned(places: NDArray[np.intp]) -> NDArray[np.intp]:
    if len(places) <= CORNERS:
        return places
    return places[np.linspace(0, len(places) - 1, CORNERS).astype(np.intp)]


def bands(one: FindingScores, resamples: int, seed: int) -> Bands:
    """The bands over the resamples of whole patients that the leaderboard has, too; NaN where a class is missing."""
    drawn = resamples_of(len(one.labels), resamples, seed, one.patients, one.weights)
    sweeps = [Sweep.of(one.labels, scores) for scores in one.scores]
    samples = drawn.evaluate(_on_grid(sweeps)).reshape(resamples, len(sweeps), 2, len(GRID))
    (units,) = drawn.units_with(one.known[:, None])
    ends = np.array([interval(column, int(units)) for column in samples.reshape(resamples, -1).T])
    low, high = np.moveaxis(ends.reshape(len(sweeps), 2, len(GRID), 2), 3, 0)
    return Bands(low[:, 0], high[:, 0], low[:, 1], high[:, 1])


def _on_grid(sweeps: Sequence[Sweep]) -> Evaluate:
    """Both curves of each model on the grid, flattened (models * 2 * grid)."""

    def evaluate(counts: Counts) -> Floats:
        return np.concatenate([_both(sweep, counts) for sweep in sweeps], axis=1)

    return evaluate


def _both(sweep: Sweep, counts: Counts) -> Floats:
    """(k, 2 * grid), NaN in a resample without one of the classes."""
    values = np.full((len(counts), 2, len(GRID)), np.nan)
    if len(sweep.ends):
        for place, (hits, false_alarms) in enumerate(zip(*sweep.called(counts), strict=True)):
            if hits[-1] > 0 and false_alarms[-1] > 0:
                values[place] = _sensitivities(hits, false_alarms), _precisions(hits, false_alarms)
    return values.reshape(len(counts), -1)


def _sensitivities(hits: Floats, false_alarms: Floats) -> Floats:
    """At each false positive rate of the grid the highest sensitivity, straight between two corners."""
    rate, sensitivity = _from_zero(false_alarms / false_alarms[-1]), _from_zero(hits / hits[-1])
    left = np.searchsorted(rate, GRID + _ROUNDING, side="right") - 1
    right = np.minimum(left + 1, len(rate) - 1)
    gap = rate[right] - rate[left]
    share = np.divide(GRID - rate[left], gap, out=np.zeros(len(GRID)), where=gap > _ROUNDING)
    found: Floats = sensitivity[left] + np.clip(share, 0, 1) * (sensitivity[right] - sensitivity[left])
    return found


def _precisions(hits: Floats, false_alarms: Floats) -> Floats:
    """At each recall of the grid the precision at the highest threshold that reaches it."""
    recall = hits / hits[-1]
    step = np.searchsorted(recall, np.maximum(GRID - _ROUNDING, _ROUNDING), side="left")
    found: Floats = hits[step] / (hits[step] + false_alarms[step])
    return found
