"""Calibration slope and intercept: whether probabilities are too extreme, and too high or low on average.

The slope is that of a logistic regression of the label on the probability's logit (Cox, Biometrika 1958; 45: 562-565):
1 is ideal, below 1 probabilities are too extreme. The intercept is that of the same regression with the slope fixed at
1, calibration in the large: 0 is ideal, below 0 probabilities are too high (Van Calster et al., BMC Medicine 2019; 17:
230). Their 95 % intervals are Wald's with a variance over patients (the sandwich estimator: Liang and Zeger, Biometrika
1986; 73: 13-22).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.arrays import Floats
from explorer.core.figures import Estimate
from explorer.metrics.calibration_curves import logistic_coefficients, sigmoid
from explorer.metrics.clustered_rates import NORMAL_95

LOWEST, HIGHEST = 1e-6, 1 - 1e-6  # probabilities of 0 and 1 have no logit
_STEPS, _SMALL = 100, 1e-10


@dataclass(frozen=True, slots=True)
class CalibrationLine:
    """The two figures of one finding; NaN if undefined: with one class, or a score that separates the classes."""

    slope: Estimate
    intercept: Estimate


def calibration_line(labels: Floats, probabilities: Floats, patients: NDArray[np.int64]) -> CalibrationLine:
    """Return slope and intercept of probabilities (n,) in [0, 1] for labels (n,): 1, 0, NaN unknown (ignored).

    `patients` (n,) are numbers. Probabilities are moved to at least 1e-6 from 0 and 1.
    """
    known = ~np.isnan(labels) & ~np.isnan(probabilities)
    truth, near = labels[known], np.clip(probabilities[known], LOWEST, HIGHEST)
    if not 0 < truth.sum() < len(truth):
        return CalibrationLine(Estimate(np.nan), Estimate(np.nan))
    x = np.log(near) - np.log1p(-near)
    return CalibrationLine(_slope(truth, x, patients[known]), _intercept(truth, x, patients[known]))


def _slope(truth: Floats, x: Floats, patients: NDArray[np.int64]) -> Estimate:
    above, below = x[truth == 1], x[truth == 0]
    if x.min() == x.max() or above.min() >= below.max() or above.max() <= below.min():
        return Estimate(np.nan)  # the likelihood has no maximum
    columns = np.stack([x, np.ones_like(x)], axis=1)
    coefficients = logistic_coefficients(columns, truth)
    p = sigmoid(columns @ coefficients)
    return _with_interval(float(coefficients[0]), columns, truth - p, p * (1 - p), patients)


def _intercept(truth: Floats, x: Floats, patients: NDArray[np.int64]) -> Estimate:
    found = 0.0
    for _ in range(_STEPS):
        p = sigmoid(x + found)
        step = float((truth - p).sum() / (p * (1 - p)).sum())
        found += float(np.clip(step, -2, 2))
        if abs(step) < _SMALL:
            break
    p = sigmoid(x + found)
    return _with_interval(found, np.ones((len(x), 1)), truth - p, p * (1 - p), patients)


def _with_interval(
    value: float, columns: Floats, residuals: Floats, weights: Floats, patients: NDArray[np.int64]
) -> Estimate:
    """Return the first coefficient with its interval: columns (n, k), residuals and weights (n,)."""
    names, numbers = np.unique(patients, return_inverse=True)
    if len(names) < 2:
        return Estimate(value)
    pulls = np.stack([np.bincount(numbers, column * residuals, len(names)) for column in columns.T], axis=1)
    inverse = np.linalg.pinv((columns * weights[:, None]).T @ columns)
    variance = (inverse @ (pulls.T @ pulls) @ inverse)[0, 0] * len(names) / (len(names) - 1)
    reach = NORMAL_95 * float(np.sqrt(variance))
    return Estimate(value, value - reach, value + reach)
