"""How wrong the score of a (film, finding) pair is, the order in which films are shown: numpy in, numpy out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from models.array_types import Floating

LEAST = 2.0**-24  # where scores end, 0 and 1 alike: below 1 a 32-bit number is no nearer to it


def badness(labels: Floating, scores: Floating, thresholds: Floating, *, margins: bool) -> NDArray[np.float32]:
    """How far each pair is on the wrong side of its threshold (n,), negative where it is right; NaN: no threshold.

    In log odds: a score of 0.001 is as far below a threshold of 0.01 as 0.5 is below 0.91. In plain differences a miss
    could be no worse than its threshold is high, and misses of findings with high thresholds would all come first.
    `margins` are log odds but for their model's scale: there the difference is plain.
    """
    return on_wrong_side(labels, above_threshold(scores, thresholds, margins=margins))


def above_threshold(scores: Floating, thresholds: Floating, *, margins: bool) -> NDArray[np.float64]:
    """How far scores (n,) lie above their thresholds; NaN without one."""
    return scores.astype(np.float64) - thresholds if margins else log_odds(scores) - log_odds(thresholds)


def above_usual(scores: Floating, among: Floating, present: int, known: int) -> NDArray[np.float64]:
    """How far scores (m,) lie above what is usual for the finding: the order where no threshold was chosen.

    In log odds of the percentile among all films' scores `among` (n,), over the percentile that as many films reach as
    have the finding, by `present` of `known` labels; over the median where no label is known. It is the same for any
    increasing function of the scores, so scores of any model and finding stand on one scale.
    """
    n, ordered = len(among), np.sort(among)
    reach = ordered.searchsorted(scores, side="left") + ordered.searchsorted(scores, side="right")
    usual = min(max(1 - present / known, 0.5 / n), 1 - 0.5 / n) if known else 0.5
    return log_odds(reach / 2 / n) - log_odds(np.array([usual]))


def on_wrong_side(labels: Floating, above: Floating) -> NDArray[np.float32]:
    """How bad pairs (n,) are that lie so far above, by labels (1 present, 0 absent, NaN neither).

    The largest misses and false alarms come first, then what is right, the nearest to the threshold first. Without a
    label it is the distance above the threshold.
    """
    return np.where(labels == 1, -above, above).astype(np.float32)


def log_odds(scores: Floating) -> NDArray[np.float64]:
    """ln(p / (1 - p)) of numbers from 0 to 1, both ends at LEAST from them."""
    inside = np.clip(scores.astype(np.float64), LEAST, 1 - LEAST)
    odds: NDArray[np.float64] = np.log(inside / (1 - inside))
    return odds
