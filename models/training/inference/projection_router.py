"""Projection routing: one network recognizes PA and AP films, and each projection has its own networks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from torch import nn

from models.array_types import Float32
from models.training.network import predict


@dataclass(frozen=True, slots=True)
class ProjectionRouter:
    """Mixes the logits of a branch for PA and one for AP films by the first network's probability of the view.

    Each branch is the mean logit of as many networks: the first half of the other networks is the PA branch. CXR-LT
    2026 Task 1 B (section 3.2) routes by projection and ensembles three networks in a branch. The first network's view
    is a trait that every network of the lab learns in addition to the findings; it is the first output after them. B
    chooses one branch, as `hard` does; mixing both is Tailscope's.
    """

    hard: bool = False

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        router, *others = networks
        if len(others) % 2:
            raise ValueError(f"Both branches need as many networks; {len(others)} do not divide into two.")
        ap = expit(predict(router, pixels, len(findings) + 1)[:, -1:])
        share = (ap >= 0.5).astype(np.float32) if self.hard else ap
        each = np.stack([predict(network, pixels, len(findings)) for network in others])
        half = len(others) // 2
        mixed: Float32 = (1 - share) * each[:half].mean(0) + share * each[half:].mean(0)
        return mixed
