"""Differences of models from a reference on the same resamples, with p values adjusted for multiple comparisons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.core.arrays import Floats
from explorer.core.metric_plan import IntervalKind
from explorer.metrics.bias_corrected import interval_of
from explorer.metrics.bootstrap import ROUNDING
from explorer.metrics.tail_p import share_below_0

MIN_POSITIVES_FOR_TAIL = 5  # with fewer, resamples do not show enough variation to fit a tail


@dataclass(frozen=True, slots=True, eq=False)
class PairedRows:
    """Each model minus the reference (models,), in the metric's unit; NaN for the reference, and if undefined.

    `low` and `high` are the 95 % interval, `p` is two-sided, `adjusted` is p by Benjamini and Hochberg over
    the rows: the share of false discoveries among rows called different at this level.
    """

    value: Floats
    low: Floats
    high: Floats
    p: Floats
    adjusted: Floats


def paired_rows(
    point: Floats,
    samples: Floats,
    reference: int,
    units: int,
    fewest: int = 0,
    kind: IntervalKind = "percentile",
) -> PairedRows:
    """Compare points (models,) and samples (resamples, models) with the model at index `reference`.

    `units` is the number of cases or patients drawn: with fewer than 2 there is no interval and no p. `fewest` as for
    `two_sided_p`. Raises IndexError if no model has that index.
    """
    others = np.arange(len(point)) != reference
    value = np.where(others, point - point[reference], np.nan)
    low, high, p = (np.full(len(point), np.nan) for _ in range(3))
    for model in np.flatnonzero(others):
        less = samples[:, model] - samples[:, reference]
        low[model], high[model] = interval_of(kind, less, float(value[model]), units)
        p[model] = two_sided_p(less, fewest) if units > 1 else np.nan
    return PairedRows(value, low, high, p, benjamini_hochberg(p))


def two_sided_p(differences: Floats, fewest: int = 0) -> float:
    """Return how often resamples (resamples,) contradict a difference's sign: 2 min(P(d <= 0), P(d >= 0)), at most 1.

    One is added to both counts and to their total, so that p is never 0 (Davison and Hinkley, Bootstrap Methods and
    their Application, 1997, section 4.2). Undefined resamples (NaN) are left out; NaN if all are. Differences within
    rounding count as 0. If no resample contradicts, counting cannot give a p below `smallest_counted_p`; a tail fitted
    to the resamples then estimates how much rarer a contradiction is (`tail_p`), if the compared figures have at least
    MIN_POSITIVES_FOR_TAIL positives: `fewest` is their number.
    """
    defined = differences[~np.isnan(differences)]
    if not defined.size:
        return float("nan")
    fewer = min(int((defined <= ROUNDING).sum()), int((defined >= -ROUNDING).sum()))
    counted = min(1.0, 2 * (fewer + 1) / (defined.size + 1))
    if fewer or fewest < MIN_POSITIVES_FOR_TAIL:
        return counted
    beyond = share_below_0(np.abs(defined))
    return counted if beyond is None else min(counted, 2 * beyond)


def smallest_counted_p(resamples: int) -> float:
    """Return the smallest p that `two_sided_p` can give for a number of resamples without a fitted tail."""
    return min(1.0, 2 / (resamples + 1))


def benjamini_hochberg(p: Floats) -> Floats:
    """Return adjusted p values (rows,): the smallest false discovery rate at which each row would be called different.

    The step-up procedure (Benjamini and Hochberg, Journal of the Royal Statistical Society B, 1995). NaN stays NaN and
    does not count as a row.
    """
    adjusted = np.full(len(p), np.nan)
    defined = np.flatnonzero(~np.isnan(p))
    order = defined[np.argsort(p[defined], kind="stable")]
    scaled = p[order] * len(order) / np.arange(1, len(order) + 1)
    adjusted[order] = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1)
    return adjusted
