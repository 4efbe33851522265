"""How wrong the scores of (film, finding) pairs are, which is the sort order of films; uses NumPy arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.array_types import Floating

MIN_DISTANCE = 2.0**-24  # scores are clipped this far from 0 and 1; float32 is no finer just below 1


def badness(labels: Floating, scores: Floating, thresholds: Floating, *, margins: bool) -> NDArray[np.float32]:
    """Return how far each pair is on the wrong side of its threshold (n,), negative if correct; NaN: no threshold.

    In log odds: 0.001 is as far below a threshold of 0.01 as 0.5 is below 0.91. In plain differences, a miss could
    never be farther off than the value of its threshold, so misses of findings with high thresholds would always come
    first. `margins` are log odds up to their model's scale, so they are compared by plain differences.
    """
    return on_wrong_side(labels, above_threshold(scores, thresholds, margins=margins))


def above_threshold(scores: Floating, thresholds: Floating, *, margins: bool) -> NDArray[np.float64]:
    """Return how far scores (n,) lie above their thresholds; NaN without one."""
    return scores.astype(np.float64) - thresholds if margins else log_odds(scores) - log_odds(thresholds)


def above_usual(scores: Floating, among: Floating, present: int, known: int) -> NDArray[np.float64]:
    """Return how far scores (m,) lie above the finding's usual score, the order if no threshold was chosen.

    In log odds of the percentile among all films' scores `among` (n,), relative to the percentile exceeded by as many
    films as have the finding (`present` of `known` labels), or to the median if no label is known. Any increasing
    transformation of the scores gives the same result, so all models and findings share one scale.
    """
    n, ordered = len(among), np.sort(among)
    reach = ordered.searchsorted(scores, side="left") + ordered.searchsorted(scores, side="right")
    usual = min(max(1 - present / known, 0.5 / n), 1 - 0.5 / n) if known else 0.5
    return log_odds(reach / 2 / n) - log_odds(np.array([usual]))


def on_wrong_side(labels: Floating, above: Floating) -> NDArray[np.float32]:
    """Return how wrong pairs (n,) are, given their distance above the threshold and labels (1, 0, or NaN for neither).

    The worst misses and false alarms come first, then correct pairs, starting with those nearest the threshold. Without
    a label, the result is the distance above the threshold.
    """
    return np.where(labels == 1, -above, above).astype(np.float32)


def log_odds(scores: Floating) -> NDArray[np.float64]:
    """Return ln(p / (1 - p)) of numbers from 0 to 1, clipped to MIN_DISTANCE from both ends."""
    inside = np.clip(scores.astype(np.float64), MIN_DISTANCE, 1 - MIN_DISTANCE)
    odds: NDArray[np.float64] = np.log(inside / (1 - inside))
    return odds
