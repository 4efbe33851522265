"""Where a score lies among the scores of a cohort of films: the only word on a finding without a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.reading.out_of_fold import out_of_fold
from models.cards.card import Card


@dataclass(frozen=True, slots=True)
class Percentile:
    """`value` % of `n` films score lower, films that score the same counted half."""

    value: float
    n: int


def percentile(card: Card, finding: str, score: float) -> Percentile | None:
    """Where `score` lies among the out-of-fold scores of the card's cohort; None where it has none for the finding.

    Raises UnusableModel where the card names a cohort that cannot be read.
    """
    kept = out_of_fold(card)
    scores = kept.every.get(finding) if kept else None
    if scores is None or not len(scores):
        return None
    return Percentile(float(places(np.asarray(score), scores)), len(scores))


def places(values: NDArray[np.floating], ascending: NDArray[np.floating]) -> NDArray[np.float64]:
    """The percentile of each value: % of the others (n,), one or more, that are lower, equal ones counted half."""
    below, not_above = np.searchsorted(ascending, values, "left"), np.searchsorted(ascending, values, "right")
    place: NDArray[np.float64] = 50 * (below + not_above) / len(ascending)
    return place
