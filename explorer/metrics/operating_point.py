"""How often calls at a threshold are right, in counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer.core.arrays import checked
from explorer.core.rates import Rate
from explorer.metrics.threshold_metrics import Threshold, called


class OperatingPoint(NamedTuple):
    """Positives called and negatives not called, as `explorer.metrics.predictive_values` takes them."""

    sensitivity: Rate
    specificity: Rate


def rates_at(labels: ArrayLike, scores: ArrayLike, threshold: Threshold = 0.5) -> tuple[OperatingPoint, ...]:
    """Sensitivity and specificity of each finding, called present where score >= threshold, with n and Wilson interval.

    `labels` (n, findings): 1 present, 0 absent, NaN unknown, which is left out. `scores` (n, findings), finite. The
    threshold is one number, or one per finding with NaN where there is none: nothing is counted then. The intervals are
    of independent cases; where patients have several films, take `bootstrap` with units. Raises ValueError
    where these do not fit.
    """
    truth, score = checked(labels, scores)
    calls = called(truth, score, threshold)
    right = np.stack([(truth == 1) & (calls == 1), (truth == 0) & (calls == 0)]).sum(axis=1)  # (2, findings)
    all_of_them = np.stack([truth == label for label in (1, 0)] & ~np.isnan(calls)).sum(axis=1)
    return tuple(
        OperatingPoint(*(Rate(int(hits), int(n)) for hits, n in zip(*column, strict=True)))
        for column in zip(right.T, all_of_them.T, strict=True)
    )
