"""Statistics of scores: confidence intervals of rates, thresholds, Platt scaling, patient-level bootstrap samples."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from models.array_types import Bools, Float32


def wilson(hits: float, n: float) -> tuple[float, float]:
    """Return the 95 % Wilson interval (low, high) of the rate hits / n (Wilson, 1927).

    Both may be fractional: the mean of many counts, or films that are not independent. Raises ZeroDivisionError if n is
    0.
    """
    z = 1.959964
    rate, spread = hits / n, z * z / n
    center = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / n + spread / (4 * n)) / (1 + spread)
    return max(0.0, center - half), min(1.0, center + half)


def patient_resamples(patients: NDArray[np.str_], resamples: int, seed: int = 0) -> Iterator[NDArray[np.intp]]:
    """Yield the row numbers of each bootstrap sample; samples draw whole patients."""
    names, codes, films = np.unique(patients, return_inverse=True, return_counts=True)
    rows = np.argsort(codes, kind="stable")  # grouped by patient
    starts = np.cumsum(films) - films
    for resample in range(resamples):
        drawn = np.random.default_rng([seed, resample]).integers(0, len(names), len(names))
        many = films[drawn]
        ends = np.cumsum(many)
        yield rows[np.repeat(starts[drawn] - ends + many, many) + np.arange(ends[-1])]


def mean_intervals(
    values: NDArray[np.floating], units: NDArray[np.str_], resamples: int = 1000
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return means (k,) of values (n, k) and the bounds of their 95 % intervals, resampling whole `units` (n,)."""
    drawn = np.stack([values[rows].mean(axis=0) for rows in patient_resamples(units, resamples)])
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    return values.mean(axis=0), low, high


def youden_threshold(present: Bools, scores: NDArray[np.floating]) -> float:
    """Return the threshold with maximum sensitivity + specificity, midway to the next lower score (Youden, 1950)."""
    values = np.unique(scores)
    cuts = (values[1:] + values[:-1]) / 2
    sensitivity = 1 - np.searchsorted(np.sort(scores[present]), cuts) / present.sum()
    specificity = np.searchsorted(np.sort(scores[~present]), cuts) / (~present).sum()
    return float(cuts[np.argmax(sensitivity + specificity)])


def unsure_band(present: Bools, scores: Float32, threshold: float) -> tuple[float, float] | None:
    """Return (threshold, cut), where `cut` gives 90 % specificity: scores in between are common without the finding.

    The cut is the lowest with nine in ten negatives below it, midway to the next score; scores are in (0, 1). Returns
    None if the threshold is not below the cut.
    """
    values = np.unique(np.concatenate([[0.0], scores, [1.0]]))
    negatives = np.sort(scores[~present])
    left = np.searchsorted(values, negatives[-1 - len(negatives) // 10])
    high = float(values[left : left + 2].mean())
    return None if threshold >= high else (threshold, high)


def fit_platt(present: Bools, logits: Float32) -> tuple[float, float]:
    """Fit sigmoid(slope * logit + intercept) to smoothed targets; return slope and intercept (Platt, 1999)."""
    from scipy.optimize import minimize  # imported here because only fits need it, not intervals

    target, x = platt_targets(present), logits.astype(np.float64)

    def loss(parameters: NDArray[np.float64]) -> float:
        z = parameters[0] * x + parameters[1]
        return float(np.sum(np.logaddexp(0, z) - target * z))

    slope, intercept = minimize(loss, np.array([1.0, 0.0]), method="L-BFGS-B").x
    return float(slope), float(intercept)


def platt_targets(present: Bools) -> NDArray[np.float64]:
    """Return Platt's smoothed targets (n,): (P + 1) / (P + 2) for positives and 1 / (N + 2) for negatives."""
    positives, negatives = int(present.sum()), int((~present).sum())
    targets: NDArray[np.float64] = np.where(present, (positives + 1) / (positives + 2), 1 / (negatives + 2))
    return targets
