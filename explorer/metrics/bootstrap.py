"""Exact bootstrap intervals of the metrics, over cases or whole patients, fast enough for a whole challenge.

Every resample is computed from its own draws, without approximation and without sorting again: `ranking_metrics`
and `threshold_metrics` say how. Intervals are the challenge's percentile intervals (Efron and Tibshirani, An
Introduction to the Bootstrap, 1993, chapter 13), not corrected where resampling itself moves a metric. Thresholds are
held fixed: intervals tell how a rule varies over cases like these, not how the fitting of the rule does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats
from explorer.metrics.metrics import Metric, on_all, prepared
from explorer.metrics.resamples import resamples_of

LEVEL = (0.025, 0.975)  # quantiles of a 95 % interval
ROUNDING = 1e-12  # sums of weights come out of their order by less


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A metric or a difference per finding with its 95 % interval, all without unit; NaN where undefined.

    Low and high are quantiles of the defined samples (linear between neighbors). `undefined` counts the others: where
    it is large, the interval is of the resamples that happened to have positives. A finding that is known in one unit
    only (one case, one patient) has no interval: all its resamples are that unit.
    """

    point: Floats  # (findings,) on the cases as they are
    low: Floats  # (findings,)
    high: Floats  # (findings,)
    samples: Floats  # (resamples, findings)
    undefined: npt.NDArray[np.int64]  # (findings,) resamples in which it is NaN
    units: npt.NDArray[np.int64]  # (findings,) that have a known label; of a difference the fewer

    @classmethod
    def of(cls, point: Floats, samples: Floats, units: npt.NDArray[np.int64]) -> Bootstrap:
        """The point and the units (findings,) and samples (resamples, findings) with the intervals that follow."""
        return cls(point, *intervals(samples, units), samples, np.isnan(samples).sum(axis=0), units)


def bootstrap(
    labels: npt.ArrayLike,
    scores: npt.ArrayLike,
    metric: Metric,
    resamples: int = 1000,
    seed: int = 0,
    unit: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    **options: object,
) -> Bootstrap:
    """A metric of `explorer.metrics.metrics` with its 95 % interval per finding, all findings on the same resamples.

    Resample r draws `default_rng([seed, r]).integers(0, n, n)` of the n cases, or as many whole units as there are,
    where `unit` (n,) names each case's, such as its patient; drawn cases keep their weights (n,). `options` are the
    metric's keywords. Percentile intervals sit too high for ECE, because resampling adds noise that ECE counts as
    miscalibration, and for average precision with few positives, because repeats of a rare positive raise it. Raises
    ValueError for what the metric refuses, no cases, and units or weights that `resamples_of` refuses.
    """
    evaluate = prepared(metric, labels, scores, options)
    known = ~np.isnan(np.asarray(labels, dtype=np.float64))
    drawn = resamples_of(len(known), resamples, seed, unit, weights)
    return Bootstrap.of(on_all(evaluate, len(known), weights), drawn.evaluate(evaluate), drawn.units_with(known))


def difference(one: Bootstrap, other: Bootstrap) -> Bootstrap:
    """One minus the other, sample by sample, NaN where either is undefined.

    Paired where both drew the same cases with one seed, as two models with thresholds of their own may. Raises
    ValueError where resamples or findings differ in number.
    """
    if one.samples.shape != other.samples.shape:
        raise ValueError(f"Resamples and findings must agree. They are {one.samples.shape} and {other.samples.shape}.")
    units = np.minimum(one.units, other.units)
    return Bootstrap.of(one.point - other.point, one.samples - other.samples, units)


def macro_interval(result: Bootstrap, findings_chosen: Sequence[int]) -> tuple[float, float, float]:
    """The mean over the chosen findings (their places) with its 95 % interval: point, low, high.

    A finding whose point is undefined is left out altogether. Of the others, each resample takes the mean over those
    that are defined in it, so a finding with few positives is missing from some resamples; `undefined` tells how often.
    Resamples with none are left out. All NaN where no chosen finding is defined; no interval where each is known in one
    unit only.
    """
    chosen = np.asarray(findings_chosen, dtype=np.intp)
    chosen = chosen[~np.isnan(result.point[chosen])]
    if not chosen.size:
        return float("nan"), float("nan"), float("nan")
    samples = result.samples[:, chosen]
    defined = ~np.isnan(samples)
    used = defined.any(axis=1)
    means = np.where(defined, samples, 0)[used].sum(axis=1) / defined[used].sum(axis=1)
    return float(result.point[chosen].mean()), *interval(means, int(result.units[chosen].max()))


def interval(samples: Floats, units: int) -> tuple[float, float]:
    """The 95 % percentile interval of samples (resamples,), NaN left out; NaN where all are, and of fewer than 2 units.

    Resamples of one unit are all the same, which would look like certainty. Low is high, to the last digit, where the
    samples differ by rounding alone.
    """
    defined = samples[~np.isnan(samples)]
    if units < 2 or not defined.size:
        return float("nan"), float("nan")
    low, high = np.quantile(defined, LEVEL)
    return float(low), float(high if high - low > ROUNDING else low)


def intervals(samples: Floats, units: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Low and high (columns,) of samples (resamples, columns) that come from so many units each: as `interval` says."""
    low, high = np.full((2, samples.shape[1]), np.nan)
    complete = (units > 1) & ~np.isnan(samples).any(axis=0)
    if complete.any() and len(samples):
        least, most = np.quantile(samples[:, complete], LEVEL, axis=0)
        low[complete], high[complete] = least, np.where(most - least > ROUNDING, most, least)
    for column in np.flatnonzero(~complete):
        low[column], high[column] = interval(samples[:, column], int(units[column]))
    return low, high
