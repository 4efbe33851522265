"""Exact bootstrap intervals of the metrics, over cases or patients, fast enough for a whole challenge.

Every resample is computed exactly from its own draws, without sorting again; see `ranking_metrics` and
`threshold_metrics`. Intervals are the challenge's percentile intervals (Efron and Tibshirani, An Introduction to the
Bootstrap, 1993, chapter 13), without bias correction. Thresholds are held fixed: intervals show how a rule varies over
cases like these, not how fitting the rule varies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats
from explorer.metrics.metrics import Metric, on_original_cases, prepared_metric
from explorer.metrics.resamples import resamples_of

LEVEL = (0.025, 0.975)  # quantiles of a 95 % interval
ROUNDING = 1e-12  # sums of weights in another order differ by less


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A metric or a difference per finding with its 95 % interval, dimensionless; NaN where undefined.

    Low and high are quantiles of the defined samples (linear between neighbors). `undefined` counts the other
    resamples: if it is large, the interval covers only resamples that happened to have positives. A finding that is
    known in only one unit (one case, one patient) has no interval, because all resamples repeat that unit.
    """

    point: Floats  # (findings,) on the original cases
    low: Floats  # (findings,)
    high: Floats  # (findings,)
    samples: Floats  # (resamples, findings)
    undefined: npt.NDArray[np.int64]  # (findings,) number of resamples in which it is NaN
    units: npt.NDArray[np.int64]  # (findings,) units with a known label; for a difference, the smaller number

    @classmethod
    def of(cls, point: Floats, samples: Floats, units: npt.NDArray[np.int64]) -> Bootstrap:
        """Return point and units (findings,) and samples (resamples, findings) with the resulting intervals."""
        return cls(point, *percentile_intervals(samples, units), samples, np.isnan(samples).sum(axis=0), units)


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
    """Return a metric of `explorer.metrics.metrics` with its 95 % interval, all findings on the same resamples.

    Resample r draws `default_rng([seed, r]).integers(0, n, n)` of the n cases, or as many whole units as there are, if
    `unit` (n,) names each case's unit, such as its patient; drawn cases keep their weights (n,). `options` are the
    metric's keywords. Percentile intervals are too high for ECE, because resampling adds noise that ECE counts as
    miscalibration, and for average precision with few positives, because repeats of a rare positive raise it. Raises
    ValueError for input that the metric or `resamples_of` rejects, and without cases.
    """
    evaluate = prepared_metric(metric, labels, scores, options)
    known = ~np.isnan(np.asarray(labels, dtype=np.float64))
    drawn = resamples_of(len(known), resamples, seed, unit, weights)
    return Bootstrap.of(
        on_original_cases(evaluate, len(known), weights), drawn.evaluate(evaluate), drawn.units_with(known)
    )


def difference(one: Bootstrap, other: Bootstrap) -> Bootstrap:
    """Return the first minus the second, sample by sample, NaN where either is undefined.

    Paired if both drew the same cases with the same seed; two models may have thresholds of their own. Raises
    ValueError if the numbers of resamples or findings differ.
    """
    if one.samples.shape != other.samples.shape:
        raise ValueError(f"Resamples and findings must agree. They are {one.samples.shape} and {other.samples.shape}.")
    units = np.minimum(one.units, other.units)
    return Bootstrap.of(one.point - other.point, one.samples - other.samples, units)


def macro_interval(result: Bootstrap, findings_chosen: Sequence[int]) -> tuple[float, float, float]:
    """Return the mean over the chosen findings (indices) with its 95 % interval: point, low, high.

    A finding without a defined point is left out completely. Each resample averages the findings that are defined in
    it, so a finding with few positives is missing from some resamples; `undefined` counts how many. Resamples without
    any are left out. All NaN if no chosen finding is defined; no interval if each is known in only one unit.
    """
    point, means, units = macro_samples(result, findings_chosen)
    return point, *percentile_interval(means, units)


def macro_samples(result: Bootstrap, findings_chosen: Sequence[int]) -> tuple[float, Floats, int]:
    """Return the mean over the chosen findings, as `macro_interval` does: point, usable samples (used,), and units."""
    chosen = np.asarray(findings_chosen, dtype=np.intp)
    chosen = chosen[~np.isnan(result.point[chosen])]
    if not chosen.size:
        return float("nan"), np.empty(0), 0
    samples = result.samples[:, chosen]
    defined = ~np.isnan(samples)
    used = defined.any(axis=1)
    means: Floats = np.where(defined, samples, 0)[used].sum(axis=1) / defined[used].sum(axis=1)
    return float(result.point[chosen].mean()), means, int(result.units[chosen].max())


def percentile_interval(samples: Floats, units: int) -> tuple[float, float]:
    """Return the 95 % percentile interval of samples (resamples,), ignoring NaN; NaN for fewer than 2 units.

    Resamples of one unit are all equal, which would look like certainty. If the samples differ only by rounding, low
    equals high exactly.
    """
    defined = samples[~np.isnan(samples)]
    if units < 2 or not defined.size:
        return float("nan"), float("nan")
    low, high = np.quantile(defined, LEVEL)
    return float(low), float(high if high - low > ROUNDING else low)


def percentile_intervals(samples: Floats, units: npt.NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Return low and high (columns,) of samples (resamples, columns), given the units of each column."""
    low, high = np.full((2, samples.shape[1]), np.nan)
    complete = (units > 1) & ~np.isnan(samples).any(axis=0)
    if complete.any() and len(samples):
        least, most = np.quantile(samples[:, complete], LEVEL, axis=0)
        low[complete], high[complete] = least, np.where(most - least > ROUNDING, most, least)
    for column in np.flatnonzero(~complete):
        low[column], high[column] = percentile_interval(samples[:, column], int(units[column]))
    return low, high
