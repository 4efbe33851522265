"""Binary cross-entropy: each finding of a film counts separately, with equal weight."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional


@dataclass(frozen=True, slots=True)
class Bce:
    """-log p if the finding is present, else -log(1 - p), with p = sigmoid(logit)."""

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return nats per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        return functional.binary_cross_entropy_with_logits(logits, labels, reduction="none").sum(1)
