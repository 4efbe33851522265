"""Ranks a score among a cohort's scores, which is all that is known about a finding without a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.reading.out_of_fold import out_of_fold_scores
from models.cards.card import Card


@dataclass(frozen=True, slots=True)
class Percentile:
    """`value` % of `n` films score lower, with ties counted half."""

    value: float
    n: int


def percentile(card: Card, finding: str, score: float) -> Percentile | None:
    """Return the percentile of `score` among the card's out-of-fold scores; None without scores of the finding.

    Raises UnusableModel if the card's cohort file cannot be read.
    """
    kept = out_of_fold_scores(card)
    scores = kept.every.get(finding) if kept else None
    if scores is None or not len(scores):
        return None
    return Percentile(float(percentiles_of(np.asarray(score), scores)), len(scores))


def percentiles_of(values: NDArray[np.floating], ascending: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return each value's percentile among the sorted values `ascending` (n,), n >= 1, with ties counted half."""
    below, not_above = np.searchsorted(ascending, values, "left"), np.searchsorted(ascending, values, "right")
    place: NDArray[np.float64] = 50 * (below + not_above) / len(ascending)
    return place
