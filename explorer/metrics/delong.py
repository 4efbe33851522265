"""AUROC of several models on the same films by DeLong's method: covariance, intervals, and paired tests.

DeLong, DeLong and Clarke-Pearson, Biometrics 1988; 44: 837-845. An AUROC is the mean of its structural components: for
each positive the share of negatives that score lower, for each negative the share of positives that score higher, ties
counting one half. Films of one patient are not independent; with patients given, components are summed by patient
(Obuchowski, Biometrics 1997; 53: 567-578), which is DeLong's method where each patient has one film.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from explorer.core.arrays import Floats
from explorer.metrics.clustered_rates import NORMAL_95

Alternative = Literal["two-sided", "greater", "less"]
_NO_SPREAD = 1e-18  # a variance below this is rounding


@dataclass(frozen=True, slots=True, eq=False)
class DeLong:
    """AUROC (models,) and its covariance (models, models) over samples of patients, dimensionless.

    NaN with one class; the covariance also with fewer than 2 patients with, or without, the finding.
    """

    areas: Floats
    covariance: Floats

    def interval(self, model: int = 0) -> tuple[float, float]:
        """Return the 95 % interval of an AUROC, area -/+ 1.96 standard errors, cut to [0, 1]; NaN if undefined."""
        reach = NORMAL_95 * float(np.sqrt(self.covariance[model, model]))
        area = float(self.areas[model])
        return float(np.maximum(0, area - reach)), float(np.minimum(1, area + reach))

    def difference(self, one: int, other: int, alternative: Alternative = "two-sided") -> AreaDifference:
        """Return the AUROC of model `one` minus that of `other`, by index, tested against a difference of 0.

        `greater` tests whether `one` is better, `less` whether it is worse. Models whose components are equal, up to a
        constant, have a variance of 0: p is then 1 without a difference, and otherwise undefined.
        """
        value = float(self.areas[one] - self.areas[other])
        of = self.covariance
        variance = float(of[one, one] + of[other, other] - 2 * of[one, other])
        error = float(np.sqrt(max(variance, 0))) if variance == variance else float("nan")
        return AreaDifference(
            value, value - NORMAL_95 * error, value + NORMAL_95 * error, _p(value, variance, alternative)
        )


@dataclass(frozen=True, slots=True)
class AreaDifference:
    """A difference of two AUROCs with its 95 % interval (area -/+ 1.96 standard errors) and p; NaN if undefined."""

    value: float
    low: float
    high: float
    p: float


def delong(labels: npt.ArrayLike, scores: npt.ArrayLike, patients: npt.ArrayLike | None = None) -> DeLong:
    """Return the AUROC of models on one finding, from labels (n,) and scores (models, n).

    Labels are 1 (present), 0 (absent), or NaN or -1 (unknown, left out). `patients` (n,) names each film's patient; by
    default each film is independent. Raises ValueError if the shapes differ or a score is NaN.
    """
    truth, every = np.asarray(labels), np.asarray(scores, dtype=np.float64)
    if truth.ndim != 1 or every.ndim != 2 or every.shape[1] != len(truth):
        raise ValueError(f"Labels must be (n,) and scores (models, n). They are {truth.shape} and {every.shape}.")
    present, absent = truth == 1, truth == 0
    if np.isnan(every[:, present | absent]).any():
        raise ValueError("A score is missing. Leave films without a score out.")
    above, below = every[:, present], every[:, absent]
    if not above.shape[1] or not below.shape[1]:
        return DeLong(np.full(len(every), np.nan), np.full((len(every), len(every)), np.nan))
    of_positives, of_negatives = _components(above, below)
    areas: Floats = of_positives.mean(axis=1)
    names = np.arange(len(truth)) if patients is None else np.unique(np.asarray(patients), return_inverse=True)[1]
    return DeLong(areas, _covariance(of_positives, of_negatives, areas, names[present], names[absent]))


def _components(above: Floats, below: Floats) -> tuple[Floats, Floats]:
    """Return the structural components of positives (models, p) and of negatives (models, q)."""
    of_positives, of_negatives = np.empty(above.shape), np.empty(below.shape)
    for model, (high, low) in enumerate(zip(above, below, strict=True)):
        of_positives[model] = _share_below(np.sort(low), high)
        of_negatives[model] = 1 - _share_below(np.sort(high), low)
    return of_positives, of_negatives


def _share_below(others: Floats, scores: Floats) -> Floats:
    """Return the share of the others, sorted, that lie below each score, ties counting one half."""
    lower, up_to = (np.searchsorted(others, scores, side) for side in ("left", "right"))
    share: Floats = (lower + up_to) / (2 * len(others))
    return share


def _covariance(
    of_positives: Floats,
    of_negatives: Floats,
    areas: Floats,
    present: npt.NDArray[np.intp],
    absent: npt.NDArray[np.intp],
) -> Floats:
    """Return the covariance of the areas; `present` (p,) and `absent` (q,) number the patients of the films."""
    count = int(max(present.max(), absent.max())) + 1
    has_positive, has_negative = (np.bincount(each, minlength=count) > 0 for each in (present, absent))
    with_positives, with_negatives, every = (
        int(np.count_nonzero(each)) for each in (has_positive, has_negative, has_positive | has_negative)
    )
    if with_positives < 2 or with_negatives < 2:
        return np.full((len(areas), len(areas)), np.nan)
    positives, negatives = of_positives.shape[1], of_negatives.shape[1]
    ours = _sums(of_positives - areas[:, None], present, count)
    theirs = _sums(of_negatives - areas[:, None], absent, count)
    mixed = ours @ theirs.T * every / (every - 1)
    found: Floats = (
        ours @ ours.T * with_positives / (with_positives - 1) / positives**2
        + theirs @ theirs.T * with_negatives / (with_negatives - 1) / negatives**2
        + (mixed + mixed.T) / (positives * negatives)
    )
    return found


def _sums(components: Floats, patients: npt.NDArray[np.intp], count: int) -> Floats:
    """Sum components (models, films) by patient, (models, count)."""
    sums: Floats = np.stack([np.bincount(patients, each, count) for each in components])
    return sums


def _p(value: float, variance: float, alternative: Alternative) -> float:
    if not variance > _NO_SPREAD:
        return 1.0 if abs(value) < np.sqrt(_NO_SPREAD) and variance == variance else float("nan")
    z = value / float(np.sqrt(variance))
    if alternative == "two-sided":
        return float(2 * scipy.special.ndtr(-abs(z)))
    return float(scipy.special.ndtr(-z if alternative == "greater" else z))
