"""What becomes of a (film, finding) pair at its operating point: numpy in, numpy out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import Outcome
from models.array_types import Floating

MISTAKES = (Outcome.MISS, Outcome.FALSE_ALARM)
OUTCOMES: tuple[Outcome, ...] = tuple(Outcome)
NO_OUTCOME = len(OUTCOMES)
WRONG = (Outcome.MISS, Outcome.FALSE_ALARM)
THERE = (Outcome.HIT, Outcome.MISS)  # of pairs labeled present; the others are of those labeled absent
CALLED = (Outcome.HIT, Outcome.FALSE_ALARM)  # of pairs called present; the others are of those that were not


def outcomes(labels: Floating, scores: Floating, thresholds: Floating) -> NDArray[np.uint8]:
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
