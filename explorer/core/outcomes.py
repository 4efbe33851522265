"""What becomes of a (film, finding) pair at its operating point, and how bad that is: numpy in, numpy out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import Outcome

Floats = NDArray[np.floating]

MISTAKES = (Outcome.MISS, Outcome.FALSE_ALARM)
OUTCOMES: tuple[Outcome, ...] = tuple(Outcome)
NO_OUTCOME = len(OUTCOMES)
WRONG = (Outcome.MISS, Outcome.FALSE_ALARM)
LEAST = 2.0**-24  # where scores end, 0 and 1 alike: below 1 a 32-bit number is no nearer to it


def outcomes(labels: Floats, scores: Floats, thresholds: Floats) -> NDArray[np.uint8]:
    """The place in `OUTCOMES` of each pair (n,); NO_OUTCOME without a label, with an uncertain one, or no threshold.

    `labels` are 1 present, 0 absent, NaN neither; a threshold that is NaN is missing.
    """
    called = scores >= thresholds
    found = np.full(labels.shape, NO_OUTCOME, np.uint8)
    known = ~np.isnan(thresholds)
    found[known & (labels == 1) & called] = OUTCOMES.index(Outcome.HIT)
    found[known & (labels == 1) & ~called] = OUTCOMES.index(Outcome.MISS)
    found[known & (labels == 0) & called] = OUTCOMES.index(Outcome.FALSE_ALARM)
    found[known & (labels == 0) & ~called] = OUTCOMES.index(Outcome.CORRECT_REJECTION)
    return found


def outcome_of(label: str, score: float, threshold: float | None) -> Outcome | None:
    """The outcome of one pair."""
    if threshold is None or label not in ("present", "absent"):
        return None
    if score >= threshold:
        return Outcome.HIT if label == "present" else Outcome.FALSE_ALARM
    return Outcome.MISS if label == "present" else Outcome.CORRECT_REJECTION


def badness(labels: Floats, scores: Floats, thresholds: Floats, *, margins: bool) -> NDArray[np.float32]:
    """How far each pair is on the wrong side of its threshold (n,), negative where it is right; NaN: no threshold.

    In log odds: a score of 0.001 is as far below a threshold of 0.01 as 0.5 is below 0.91. In plain differences a miss
    could be no worse than its threshold is high, and misses of findings with high thresholds would all come first.
    `margins` are log odds but for their model's scale: there the difference is plain. The largest misses and false
    alarms come first, then what is right, the nearest to the threshold first. Without a label it is the distance above
    the threshold.
    """
    above = scores.astype(np.float64) - thresholds if margins else _log_odds(scores) - _log_odds(thresholds)
    return np.where(labels == 1, -above, above).astype(np.float32)


def badness_of(label: str, score: float, threshold: float, *, margins: bool) -> float:
    """The same of one pair, as exact as the tables keep it: pairs that tie there must tie here."""
    value = np.array([1.0 if label == "present" else 0.0])
    return float(badness(value, np.array([score]), np.array([threshold]), margins=margins)[0])


def _log_odds(scores: Floats) -> NDArray[np.float64]:
    inside = np.clip(scores.astype(np.float64), LEAST, 1 - LEAST)
    odds: NDArray[np.float64] = np.log(inside / (1 - inside))
    return odds
