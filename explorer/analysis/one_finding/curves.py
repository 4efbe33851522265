"""ROC and precision-recall curves of one finding for several models, with 95 % bands over resampled patients.

Areas under the curves equal AUROC and AP: the ROC curve is linear across tied scores, the precision-recall curve is a
step function without interpolation. Bands are pointwise (sensitivity at each false positive rate, precision at each
recall) and do not cover whole curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Counts, Evaluate, Floats
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.resamples import resamples_of
from explorer.metrics.sweep import Sweep

BAND_GRID: Floats = np.linspace(0, 1, 101)  # false positive rates and recalls of the bands
MAX_CORNERS = 600  # corners drawn per curve; a screen shows no more
_ROUNDING = 1e-9  # tolerance for cumulative sums of weights


@dataclass(frozen=True, slots=True, eq=False)
class ModelCurve:
    """A curve's corners by falling threshold, both (corners,)."""

    x: Floats
    y: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ModelCurves:
    """A model's ROC and precision-recall curves."""

    roc: ModelCurve
    pr: ModelCurve


@dataclass(frozen=True, slots=True, eq=False)
class CurveBands:
    """95 % percentile intervals over `BAND_GRID`, all (models, grid); NaN if undefined."""

    roc_low: Floats
    roc_high: Floats
    pr_low: Floats
    pr_high: Floats


def model_curves(one: FindingScores) -> tuple[ModelCurves, ...]:
    """Return each model's curves; empty if a class is missing."""
    if one.no_curve_reason:
        return ()
    counts: Counts = np.ones((1, len(one.labels))) if one.weights is None else one.weights[None]
    return tuple(curves_of(Sweep.of(one.labels, scores), counts) for scores in one.scores)


def curves_of(sweep: Sweep, counts: Counts) -> ModelCurves:
    """Return the curves of one model's or reader's sweep; `counts` (1, n) are the films' weights."""
    hits, false_alarms = (each[0] for each in sweep.called(counts))
    sensitivity, rate = _from_zero(hits / hits[-1]), _from_zero(false_alarms / false_alarms[-1])
    turns = np.flatnonzero((np.diff(sensitivity, prepend=-1) > 0) | (np.diff(sensitivity, append=2) > 0))
    steps = np.flatnonzero(np.diff(hits, prepend=0) > 0)
    turns, steps = _thinned(turns), _thinned(steps)
    precision = hits[steps] / (hits[steps] + false_alarms[steps])
    return ModelCurves(ModelCurve(rate[turns], sensitivity[turns]), ModelCurve(hits[steps] / hits[-1], precision))


def _from_zero(rates: Floats) -> Floats:
    return np.concatenate([[0.0], rates])


def _thinned(places: NDArray[np.intp]) -> NDArray[np.intp]:
    if len(places) <= MAX_CORNERS:
        return places
    return places[np.linspace(0, len(places) - 1, MAX_CORNERS).astype(np.intp)]


def curve_bands(one: FindingScores, resamples: int, seed: int) -> CurveBands:
    """Return bands over the leaderboard's resamples of patients; NaN if a class is missing."""
    drawn = resamples_of(len(one.labels), resamples, seed, one.patients, one.weights)
    sweeps = [Sweep.of(one.labels, scores) for scores in one.scores]
    samples = drawn.evaluate(_on_grid(sweeps)).reshape(resamples, len(sweeps), 2, len(BAND_GRID))
    (units,) = drawn.units_with(one.known[:, None])
    ends = np.array([percentile_interval(column, int(units)) for column in samples.reshape(resamples, -1).T])
    low, high = np.moveaxis(ends.reshape(len(sweeps), 2, len(BAND_GRID), 2), 3, 0)
    return CurveBands(low[:, 0], high[:, 0], low[:, 1], high[:, 1])


def _on_grid(sweeps: Sequence[Sweep]) -> Evaluate:
    """Return a function that evaluates both curves of each model on the grid, flattened (models * 2 * grid)."""

    def evaluate(counts: Counts) -> Floats:
        return np.concatenate([_both(sweep, counts) for sweep in sweeps], axis=1)

    return evaluate


def _both(sweep: Sweep, counts: Counts) -> Floats:
    """Return both curves on the grid (k, 2 * grid), NaN for resamples that lack one of the classes."""
    values = np.full((len(counts), 2, len(BAND_GRID)), np.nan)
    if len(sweep.ends):
        for place, (hits, false_alarms) in enumerate(zip(*sweep.called(counts), strict=True)):
            if hits[-1] > 0 and false_alarms[-1] > 0:
                values[place] = _sensitivities(hits, false_alarms), _precisions(hits, false_alarms)
    return values.reshape(len(counts), -1)


def _sensitivities(hits: Floats, false_alarms: Floats) -> Floats:
    """Return the highest sensitivity at each false positive rate of the grid, linear between corners."""
    return highest_at(_from_zero(false_alarms / false_alarms[-1]), _from_zero(hits / hits[-1]), BAND_GRID)


def highest_at(x: Floats, y: Floats, wanted: Floats) -> Floats:
    """Return the highest y of a rising line at each wanted x, linear between its corners (n,), both sorted."""
    left = np.searchsorted(x, wanted + _ROUNDING, side="right") - 1
    right = np.minimum(left + 1, len(x) - 1)
    gap = x[right] - x[left]
    share = np.divide(wanted - x[left], gap, out=np.zeros(len(wanted)), where=gap > _ROUNDING)
    found: Floats = y[left] + np.clip(share, 0, 1) * (y[right] - y[left])
    return found


def _precisions(hits: Floats, false_alarms: Floats) -> Floats:
    """Return the precision at each recall of the grid, using the highest threshold that reaches this recall."""
    recall = hits / hits[-1]
    step = np.searchsorted(recall, np.maximum(BAND_GRID - _ROUNDING, _ROUNDING), side="left")
    found: Floats = hits[step] / (hits[step] + false_alarms[step])
    return found
