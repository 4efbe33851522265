"""Reliability: how often a finding is present among cases with similar scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.arrays import Floats, checked_arrays, checked_fractions
from explorer.core.rates import Rate
from explorer.metrics.bins import bin_edges, bin_numbers

Binning = Literal["equal width", "equal mass"]


@dataclass(frozen=True, slots=True)
class Bin:
    """Cases with a score in (low, high], or [low, high] in the first bin and in bins of equal mass.

    `mean_score` is None without cases; `present` is the share with the finding, with n and Wilson interval.
    """

    low: float
    high: float
    mean_score: float | None
    present: Rate


def reliability(
    labels: ArrayLike, scores: ArrayLike, bins: int = 15, binning: Binning = "equal width"
) -> tuple[tuple[Bin, ...], ...]:
    """Return each finding's bins of a reliability diagram (DeGroot and Fienberg, The Statistician 1983; 32: 12-22).

    `labels` (n, findings): 1 present, 0 absent, NaN unknown (ignored). `scores` (n, findings) in [0, 1]. "equal width":
    `bins` bins, including empty ones, the same that `explorer.metrics.ece` uses (Guo et al., ICML 2017, section 2).
    "equal mass": at most `bins` bins of about the same n, from their lowest to their highest score; equal scores stay
    together. Raises ValueError if shapes or values do not fit.
    """
    truth, score = checked_arrays(labels, scores)
    checked_fractions(score, "Reliability")
    known = ~np.isnan(truth)
    numbers = bin_numbers(score, bins)
    each = zip(known.T, truth.T, score.T, numbers.T, strict=True)
    if binning == "equal width":
        return tuple(
            _equal_width_bins(labels[known], scores[known], number[known], bins)
            for known, labels, scores, number in each
        )
    return tuple(_equal_mass_bins(labels[known], scores[known], bins) for known, labels, scores, _ in each)


def _equal_width_bins(labels: Floats, scores: Floats, numbers: NDArray[np.intp], bins: int) -> tuple[Bin, ...]:
    edges = bin_edges(bins)
    return tuple(
        _bin(float(edges[b]), float(edges[b + 1]), labels[numbers == b], scores[numbers == b]) for b in range(bins)
    )


def _equal_mass_bins(labels: Floats, scores: Floats, bins: int) -> tuple[Bin, ...]:
    values, first, counts = np.unique(scores, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    middle = (below + counts / 2) / max(1, len(scores))  # relative rank of each distinct score, in (0, 1)
    numbers = np.floor(middle * bins).astype(np.intp)[first]
    groups = [(labels[numbers == b], scores[numbers == b]) for b in np.unique(numbers)]
    return tuple(_bin(float(inside.min()), float(inside.max()), present, inside) for present, inside in groups)


def _bin(low: float, high: float, labels: Floats, scores: Floats) -> Bin:
    mean = float(scores.mean()) if len(scores) else None
    return Bin(low, high, mean, Rate(int(labels.sum()), len(labels)))
