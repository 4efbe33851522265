"""Two stages: one network recognizes normal films; a second, trained on the others, names their findings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.array_types import Float32
from models.training.inference.normal_gating import NORMAL_FINDING, UNGATED_FINDINGS, gate_scores
from models.training.network import predict

LOWEST_LOGIT = -30.0  # below any logit that a network gives


@dataclass(frozen=True, slots=True)
class TwoStage:
    """A finding's score is p * (1 - q), with q the first network's Normal and p the second's. Normal is the first's.

    The two networks are those of CXR-LT 2026 Task 1 F (section 3.2); multiplying them is Tailscope's idea. `hard` is
    F's own gate: a film whose q reaches `threshold` is called normal, so that its other findings get the same lowest
    score, and on other films they are the second network's. Support Devices come from the second network only.
    """

    hard: bool = False
    threshold: float = 0.5

    def __post_init__(self) -> None:
        if not 0 < self.threshold < 1:
            raise ValueError(f"The threshold of the normal gate is {self.threshold}; it must be between 0 and 1.")

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        if NORMAL_FINDING not in findings:
            raise ValueError(f"Two stages need the finding {NORMAL_FINDING}, which is not trained.")
        place = list(findings).index(NORMAL_FINDING)
        normal = predict(networks[0], pixels, len(findings))[:, place]
        logits = predict(networks[1], pixels, len(findings))
        logits[:, place] = normal
        return (
            close_gate(logits, normal, findings, self.threshold) if self.hard else gate_scores(logits, normal, findings)
        )


def close_gate(logits: Float32, normal: Float32, findings: Collection[str], threshold: float) -> Float32:
    """Return logits (n, findings) with LOWEST_LOGIT for findings of films whose Normal, logits (n,), is at `threshold`.

    Normal and Support Devices are unchanged.
    """
    closed = normal >= np.log(threshold / (1 - threshold))
    stays = np.array([finding in UNGATED_FINDINGS for finding in findings])
    found: Float32 = np.where(closed[:, None] & ~stays, LOWEST_LOGIT, logits).astype(np.float32)
    return found
