"""Logit adjustment: scores findings as if all were equally frequent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit
from torch import nn

from models.array_types import Float32
from models.training.network import predict


@dataclass(frozen=True, slots=True)
class LogitAdjustment:
    """Subtracts `strength` times the log odds of a finding's training prevalence from its logit, after training.

    Menon et al., ICLR 2021, section 4.1 (equation 9), adjust a softmax by the log prior of each class; for findings
    that are not mutually exclusive, the prior's log odds replace it. Ranks within a finding, and so AP and AUROC, do
    not change, but a threshold shared by all findings selects other films. A finding that no training film has, or that
    all have, is not adjusted.
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        if self.strength < 0:
            raise ValueError(f"The strength of logit adjustment is {self.strength}; it must be 0 or more.")

    def __call__(
        self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Mapping[str, float]
    ) -> Float32:
        odds = logit(np.array(list(findings.values()), dtype=np.float64))
        shift = self.strength * np.where(np.isfinite(odds), odds, 0.0)
        adjusted: Float32 = (predict(networks[0], pixels, len(findings)) - shift).astype(np.float32)
        return adjusted
