"""Estimates the probability beyond the last resample by a generalized Pareto tail fitted to the nearest resamples."""

from __future__ import annotations

import numpy as np

from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import ROUNDING

TAIL_SHARE = 0.1  # of the resamples
MIN_RESAMPLES = 500  # with fewer, the tail is too small to fit
MIN_P = 1e-5  # smaller p values are not reported, because the fit is unreliable so far out


def share_below_0(samples: Floats) -> float | None:
    """Return the probability that a resample like these (resamples,), all above 0, falls below 0; None without a fit.

    Knijnenburg et al. (Fewer permutations, more accurate P-values, Bioinformatics 2009) replace additional permutations
    with a generalized Pareto distribution, which describes the excess over a high quantile of almost any distribution.
    Here it is fitted to the lowest tenth by probability-weighted moments (Hosking and Wallis, Technometrics 1987). A
    tail thinner than exponential is treated as exponential, because it would end before 0 and give p = 0. So p is too
    large rather than too small if differences are nearly normal.
    """
    count = round(TAIL_SHARE * len(samples))
    if len(samples) < MIN_RESAMPLES:
        return None
    lowest = np.partition(samples, count)[: count + 1]
    start = float(lowest.max())
    beyond = np.sort(start - lowest)[1:]
    mean = float(beyond.mean())
    if mean <= ROUNDING:
        return None  # nearly constant resamples contain no information on the tail
    rank = (np.arange(1, count + 1) - 0.35) / count
    weighted = float(((1 - rank) * beyond).mean())
    shape = 2 - mean / (mean - 2 * weighted) if mean > 2 * weighted else 0.0
    if shape <= 0:
        return max(MIN_P, TAIL_SHARE * float(np.exp(-start / mean)))
    scale = 2 * mean * weighted / (mean - 2 * weighted)
    return max(MIN_P, TAIL_SHARE * float((1 + shape * start / scale) ** (-1 / shape)))
