"""Outcomes of (film, finding) pairs at their operating points, as NumPy arrays."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.core.findings import Outcome
from models.array_types import Floating

MISTAKES = (Outcome.MISS, Outcome.FALSE_ALARM)
OUTCOMES: tuple[Outcome, ...] = tuple(Outcome)
NO_OUTCOME = len(OUTCOMES)
WRONG = (Outcome.MISS, Outcome.FALSE_ALARM)
PRESENT_OUTCOMES = (Outcome.HIT, Outcome.MISS)  # of pairs labeled present; the others are of pairs labeled absent
CALLED_OUTCOMES = (Outcome.HIT, Outcome.FALSE_ALARM)  # of pairs called present; the others are of pairs not called


def outcomes(labels: Floating, scores: Floating, thresholds: Floating) -> NDArray[np.uint8]:
    """Return the index into `OUTCOMES` of each pair (n,); NO_OUTCOME without a known label or without a threshold.

    `labels`: 1 present, 0 absent, NaN uncertain or unknown; a NaN threshold is missing.
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
    """Return the outcome of one pair."""
    if threshold is None or label not in ("present", "absent"):
        return None
    if score >= threshold:
        return Outcome.HIT if label == "present" else Outcome.FALSE_ALARM
    return Outcome.MISS if label == "present" else Outcome.CORRECT_REJECTION
