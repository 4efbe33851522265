"""Statistics of scores: intervals of rates, thresholds, Platt scaling, samples of patients."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from models.array_types import Bools, Float32


def wilson(hits: float, n: int) -> tuple[float, float]:
    """95 % interval (low, high) of the rate hits / n (Wilson, 1927); raises ZeroDivisionError where n is 0.

    `hits` is not whole where a rate of many counts is to have the interval of n independent ones.
    """
    z = 1.959964
    rate, spread = hits / n, z * z / n
    center = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, center - half), min(1.0, center + half)


def resampled(patients: NDArray[np.str_], resamples: int, seed: int = 0) -> Iterator[NDArray[np.intp]]:
    """Rows of bootstrap samples that draw whole patients."""
    names, codes, films = np.unique(patients, return_inverse=True, return_counts=True)
    rows = np.argsort(codes, kind="stable")  # the first patient's, the second's, ...
    starts = np.cumsum(films) - films
    for resample in range(resamples):
        drawn = np.random.default_rng([seed, resample]).integers(0, len(names), len(names))
        many = films[drawn]
        ends = np.cumsum(many)
        yield rows[np.repeat(starts[drawn] - ends + many, many) + np.arange(ends[-1])]


def mean_intervals(
    values: NDArray[np.floating], units: NDArray[np.str_], resamples: int = 1000
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Means (k,) of values (n, k), and the ends of their 95 % intervals over resamples of whole `units` (n,)."""
    drawn = np.stack([values[rows].mean(axis=0) for rows in resampled(units, resamples)])
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    return values.mean(axis=0), low, high


def youden(present: Bools, scores: NDArray[np.floating]) -> float:
    """The threshold with the largest sensitivity + specificity, halfway to the next lower score (Youden, 1950)."""
    values = np.unique(scores)
    cuts = (values[1:] + values[:-1]) / 2
    sensitivity = 1 - np.searchsorted(np.sort(scores[present]), cuts) / present.sum()
    specificity = np.searchsorted(np.sort(scores[~present]), cuts) / (~present).sum()
    return float(cuts[np.argmax(sensitivity + specificity)])


def unsure_band(present: Bools, scores: Float32, threshold: float) -> tuple[float, float] | None:
    """From `threshold` to the cut of 90 % specificity: scores that more than one in ten films without it reach, too.

    The cut is the lowest that leaves nine of ten negatives below, halfway to the next score; scores lie in (0, 1).
    None where the threshold is as high already.
    """
    values = np.unique(np.concatenate([[0.0], scores, [1.0]]))
    negatives = np.sort(scores[~present])
    left = np.searchsorted(values, negatives[-1 - len(negatives) // 10])
    high = float(values[left : left + 2].mean())
    return None if threshold >= high else (threshold, high)


def platt(present: Bools, logits: Float32) -> tuple[float, float]:
    """Slope and intercept of sigmoid(slope * logit + intercept), smoothed targets (Platt, 1999)."""
    from scipy.optimize import minimize  # needed for a fit alone, not by those who want an interval

    target, x = platt_targets(present), logits.astype(np.float64)

    def loss(parameters: NDArray[np.float64]) -> float:
        z = parameters[0] * x + parameters[1]
        return float(np.sum(np.logaddexp(0, z) - target * z))

    slope, intercept = minimize(loss, np.array([1.0, 0.0]), method="L-BFGS-B").x
    return float(slope), float(intercept)


def platt_targets(present: Bools) -> NDArray[np.float64]:
    """What Platt scaling fits for P positives and N negatives (n,): (P + 1) / (P + 2) for 1, 1 / (N + 2) for 0."""
    positives, negatives = int(present.sum()), int((~present).sum())
    targets: NDArray[np.float64] = np.where(present, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    return targets
