"""The labels that a recipe trains on, where they differ from those that are noted."""

from __future__ import annotations

import numpy as np

from explorer.core.figures import percent_text
from models.array_types import Bools, Float32


def settle_uncertain(labels: Float32, uncertain: Bools | None, policy: str) -> Float32:
    """Return labels (n, k) with those that are `uncertain` (n, k) set by a policy of CheXpert.

    "zeros" and "ones" make them absent or present; "ignore", "self-trained" and "three-class" make them unknown, of
    which the last two then use them otherwise. An empty policy leaves the labels as they are noted. Raises ValueError
    if the films have no uncertain label.
    """
    if not policy:
        return labels
    if uncertain is None or not uncertain.any():
        raise ValueError("No label of these films is uncertain. Remove `uncertain` from the recipe.")
    value = {"zeros": 0.0, "ones": 1.0}.get(policy, np.nan)
    return np.where(uncertain, np.float32(value), labels)


def keep_shares(labels: Float32, prevalence: Float32, shares: tuple[float, ...]) -> Float32:
    """Return labels (n, k) of the findings whose `prevalence` (k,) lies in [low, high) of `shares`; others are unknown.

    A high of 1 includes findings on all films. Raises ValueError if no finding is left.
    """
    low, high = shares
    kept = (prevalence >= low) & ((prevalence < high) | (high >= 1))
    if not kept.any():
        raise ValueError(
            f"No finding is on {percent_text(low)} to {percent_text(high)} of the training films. Change told_shares."
        )
    return np.where(kept, labels, np.float32(np.nan))


def teach(labels: Float32, taught: Bools, logits: Float32) -> Float32:
    """Return labels (n, k) in which the pairs `taught` (n, k) have a teacher's probability, from its logits (n, k).

    These are soft labels as in CheXpert's U-SelfTrained, and in Noisy Student (Xie et al., CVPR 2020, section 2).
    """
    probability = 1 / (1 + np.exp(-logits.astype(np.float64)))
    return np.where(taught, probability, labels).astype(np.float32)
