"""How far the best of several equally good models leads by luck alone."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike

_FAR = 9.0  # standard deviations: beyond, the normal density is below 1e-18
_STEPS = 20_001


class Luck(NamedTuple):
    """The expected lead of the best of several tries over their common true score, and its one-sided 95 % limit."""

    expected: float
    limit: float


def largest_of_normals(tries: int) -> float:
    """Return the expected largest of independent standard normal numbers: 0.564 of 2, 1.163 of 5, 1.539 of 10.

    The order statistic's density n x phi(x) Phi(x)^(n - 1), integrated by the trapezoidal rule (David and Nagaraja,
    Order Statistics, 2003, section 2.3). Raises ValueError unless there is at least one.
    """
    if tries < 1:
        raise ValueError(f"{tries} tries have no largest one.")
    x = np.linspace(-_FAR, _FAR, _STEPS)
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    return float(np.trapezoid(tries * x * density * scipy.special.ndtr(x) ** (tries - 1), x))


def luck_of_tries(tries: int, deviation: float, correlation: float) -> Luck:
    """Return the luck of the best of `tries` equally good models on one test set.

    `deviation` is the standard deviation of one model's score over test sets of this size. `correlation`, below 1, is
    that of two models' scores over these test sets: models that err on the same films move together, and only the rest,
    sqrt(1 - correlation) of the deviation, tells them apart. The limit leaves out what all models share. Raises
    ValueError for values outside these ranges.
    """
    if deviation < 0 or not 0 <= correlation < 1:
        raise ValueError("A deviation is at least 0, a correlation from 0 to below 1.")
    apart = deviation * math.sqrt(1 - correlation)
    return Luck(apart * largest_of_normals(tries), apart * float(scipy.special.ndtri(0.95 ** (1 / tries))))


def luck_of_models(samples: ArrayLike) -> Luck | None:
    """Return the luck of the best of several models from their scores (resamples, models) on the same resamples.

    Each model's scores are centered on its own mean, as if all were equally good, so that what remains is chance with
    the correlation that these models have on these films; per resample, the lead is the largest minus the mean over
    models. None for fewer than two models or resamples, or if a score is undefined.
    """
    drawn = np.asarray(samples, dtype=np.float64)
    if drawn.ndim != 2 or min(drawn.shape) < 2 or not np.isfinite(drawn).all():
        return None
    centered = drawn - drawn.mean(axis=0)
    leads = centered.max(axis=1) - centered.mean(axis=1)
    return Luck(float(leads.mean()), float(np.quantile(leads, 0.95)))
