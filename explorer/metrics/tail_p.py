"""How rare a value is beyond the last of the resamples: a generalized Pareto tail fitted to the nearest of them."""

from __future__ import annotations

import numpy as np

from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import ROUNDING

SHARE = 0.1  # of the resamples: the tail
ENOUGH = 500  # resamples: fewer have too few in the tail
LEAST = 1e-5  # no p below is given: a fit is not trusted so far out


def share_below_0(samples: Floats) -> float | None:
    """The share of resamples like these (resamples,), all above 0, that would lie below 0; None where no tail fits.

    Knijnenburg and others (Fewer permutations, more accurate P-values, Bioinformatics 2009) put a generalized Pareto
    distribution in place of permutations that are not drawn: what lies beyond a far quantile follows it, whatever
    the whole follows. Here it is fitted to the lowest tenth by probability weighted moments (Hosking and Wallis,
    Technometrics 1987). A tail that is thinner than an exponential one is taken for exponential: a thinner one would
    end before 0, and p would be 0. So p errs on the large side where differences are nearly normal.
    """
    count = round(SHARE * len(samples))
    if len(samples) < ENOUGH:
        return None
    lowest = np.partition(samples, count)[: count + 1]
    start = float(lowest.max())
    beyond = np.sort(start - lowest)[1:]
    mean = float(beyond.mean())
    if mean <= ROUNDING:
        return None  # resamples that are nearly all the same tell nothing of the tail
    rank = (np.arange(1, count + 1) - 0.35) / count
    weighted = float(((1 - rank) * beyond).mean())
    shape = 2 - mean / (mean - 2 * weighted) if mean > 2 * weighted else 0.0
    if shape <= 0:
        return max(LEAST, SHARE * float(np.exp(-start / mean)))
    scale = 2 * mean * weighted / (mean - 2 * weighted)
    return max(LEAST, SHARE * float((1 + shape * start / scale) ** (-1 / shape)))
