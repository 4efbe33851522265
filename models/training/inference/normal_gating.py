"""Normal gating: the more confident a network is that a film is normal, the lower its other scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_expit
from torch import nn

from models.array_types import Float32
from models.training.network import predict

NORMAL_FINDING = "Normal"
UNGATED_FINDINGS = (NORMAL_FINDING, "Support Devices")  # a normal film may show a device


@dataclass(frozen=True, slots=True)
class NormalGating:
    """Multiplies a finding's score by (1 - q) ** strength, where q is the score of Normal.

    2026 Task 1 A gates by its normal class without stating a formula; this one is Tailscope's. Normal and Support
    Devices are unchanged.
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        check_strength(self.strength)

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        return gate_by_own_normal(predict(networks[0], pixels, len(findings)), findings, self.strength)


def check_strength(strength: float) -> None:
    """Raise ValueError for a strength that would raise scores."""
    if strength < 0:
        raise ValueError(f"The strength of normal gating is {strength}; it must be 0 or more.")


def gate_by_own_normal(logits: Float32, findings: Collection[str], strength: float) -> Float32:
    """Apply `gate_scores` with the Normal column of the logits (n, findings) themselves.

    Raises ValueError if Normal is not among the findings.
    """
    if NORMAL_FINDING not in findings:
        raise ValueError(f"Normal gating needs the finding {NORMAL_FINDING}, which is not trained. Set it to 0.")
    return gate_scores(logits, logits[:, list(findings).index(NORMAL_FINDING)], findings, strength)


def gate_scores(logits: Float32, normal: Float32, findings: Collection[str], strength: float = 1.0) -> Float32:
    """Return log odds (n, findings) of p * (1 - q) ** strength, from logits (n, findings) of p and (n,) of q."""
    log_score = log_expit(logits.astype(np.float64)) + strength * log_expit(-normal.astype(np.float64))[:, None]
    stay = np.array([finding in UNGATED_FINDINGS for finding in findings])
    changed = log_score - np.log(np.maximum(-np.expm1(log_score), np.finfo(np.float64).tiny))
    found: Float32 = np.where(stay, logits, changed).astype(np.float32)
    return found
