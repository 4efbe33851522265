"""Films that share a finding attract each other, once for every finding they share."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class SharedLabels:
    """Supervised contrastive loss for several labels: one term for each finding of a film, averaged over them.

    The term of finding k is -mean of log(exp(z_i z_p / T) / sum of exp(z_i z_a / T)) over the other films p with k, and
    a over all films but i. A film's loss is the mean of its findings' terms. A finding without another film gives 0,
    and so does a film without a finding. Source: Zhang and Wu, Multi-label supervised contrastive learning, AAAI 2024
    (MulSupCon). CXR-LT 2026 Task 1 F (section 3.2) optimizes a "multi-supervised contrastive loss" beside the
    asymmetric one, with alpha 1, beta 1 and temperature .07; that alpha and beta weigh the two losses is our reading.
    """

    temperature: float = 0.07

    def __post_init__(self) -> None:
        if not self.temperature > 0:
            raise ValueError(f"The temperature is {self.temperature}; it must be above 0.")

    def __call__(self, vectors: Tensor, labels: Tensor) -> Tensor:
        """Return the loss per film (n,) of unit vectors (n, d) and labels (n, k), NaN where unknown."""
        vectors = vectors.float()
        itself = torch.eye(len(vectors), dtype=torch.bool, device=vectors.device)
        similarity = vectors @ vectors.T / self.temperature
        # Not minus infinity: with a batch of one film the softmax would divide by 0 and its gradient be NaN.
        log_share = torch.log_softmax(similarity.masked_fill(itself, torch.finfo(similarity.dtype).min), 1)
        log_share = log_share.masked_fill(itself, 0.0)
        present = (labels == 1).to(log_share.dtype)
        others = present.sum(0) - present  # (n, k): other films with the finding
        terms = -(log_share @ present) / others.clamp_min(1)  # (n, k): film i against the others with k
        return (present * terms).sum(1) / present.sum(1).clamp_min(1)
