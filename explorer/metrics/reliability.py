"""Reliability: how often a finding is present among cases with similar scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.core.arrays import Floats, checked_arrays, checked_fractions
from explorer.core.rates import Rate
from explorer.metrics.bins import bin_edges, bin_numbers
from explorer.metrics.clustered_rates import clustered_rate

Binning = Literal["equal width", "equal mass"]


@dataclass(frozen=True, slots=True)
class Bin:
    """Cases with a score in (low, high], or [low, high] in the first bin and in bins of equal mass.

    `mean_score` is None without cases; `present` is the share with the finding; its interval counts films of a
    patient together.
    """

    low: float
    high: float
    mean_score: float | None
    present: Rate


def reliability(
    labels: ArrayLike,
    scores: ArrayLike,
    bins: int = 15,
    binning: Binning = "equal width",
    patients: NDArray[np.int64] | None = None,
) -> tuple[tuple[Bin, ...], ...]:
    """Return each finding's bins of a reliability diagram (DeGroot and Fienberg, The Statistician 1983; 32: 12-22).

    `labels` (n, findings): 1 present, 0 absent, NaN unknown (ignored). `scores` (n, findings) in [0, 1]. "equal width":
    `bins` bins, including empty ones, the same that `explorer.metrics.ece` uses (Guo et al., ICML 2017, section 2).
    "equal mass": at most `bins` bins of about the same n, from their lowest to their highest score; equal scores stay
    together. `patients` (n,) are numbers; None: each case is a patient. Raises ValueError if shapes or values do not
    fit.
    """
    truth, score = checked_arrays(labels, scores)
    checked_fractions(score, "Reliability")
    known = ~np.isnan(truth)
    numbers = bin_numbers(score, bins)
    names = np.arange(len(truth)) if patients is None else patients
    columns = [
        _Column(*(each[here] for each in (*those, names)))
        for here, *those in zip(known.T, truth.T, score.T, strict=True)
    ]
    if binning == "equal width":
        return tuple(
            _equal_width_bins(column, number[here], bins)
            for column, number, here in zip(columns, numbers.T, known.T, strict=True)
        )
    return tuple(_equal_mass_bins(column, bins) for column in columns)


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """The cases with a known label of one finding, arrays (n,)."""

    labels: Floats
    scores: Floats
    patients: NDArray[np.int64]

    def bin(self, here: NDArray[np.bool_], low: float, high: float) -> Bin:
        scores = self.scores[here]
        present = clustered_rate(self.labels[here] == 1, self.patients[here])
        return Bin(low, high, float(scores.mean()) if len(scores) else None, present)


def _equal_width_bins(column: _Column, numbers: NDArray[np.intp], bins: int) -> tuple[Bin, ...]:
    edges = bin_edges(bins)
    return tuple(column.bin(numbers == b, float(edges[b]), float(edges[b + 1])) for b in range(bins))


def _equal_mass_bins(column: _Column, bins: int) -> tuple[Bin, ...]:
    scores = column.scores
    values, first, counts = np.unique(scores, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    middle = (below + counts / 2) / max(1, len(scores))  # relative rank of each distinct score, in (0, 1)
    numbers = np.floor(middle * bins).astype(np.intp)[first]
    groups = [numbers == b for b in np.unique(numbers)]
    return tuple(column.bin(here, float(scores[here].min()), float(scores[here].max())) for here in groups)
