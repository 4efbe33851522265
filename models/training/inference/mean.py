"""A weighted ensemble: the mean of several networks' logits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from torch import nn

from models.array_types import Float32
from models.training.inference.normal_gating import check_strength, gate_by_own_normal
from models.training.network import predict


@dataclass(frozen=True, slots=True)
class MeanEnsemble:
    """The mean logit of all networks, as in 2026 Task 1 A and E.

    `first` is the weight of the first network, and the others share the rest; 0, the default, weighs all equally.
    `gating` is the strength of the normal gating (models/training/inference/normal_gating.py) of the mean, which Task 1
    A uses; 0 turns it off.
    """

    first: float = 0.0
    gating: float = 0.0

    def __post_init__(self) -> None:
        if not 0 <= self.first < 1:
            raise ValueError(f"The weight of the first network is {self.first}; it must be at least 0 and below 1.")
        check_strength(self.gating)

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        each = np.stack([predict(network, pixels, len(findings)) for network in networks])
        share = self.first or 1 / len(networks)
        shares = [share, *[(1 - share) / (len(networks) - 1)] * (len(networks) - 1)]
        mean: Float32 = np.einsum("m,mnk->nk", shares, each).astype(np.float32)
        return gate_by_own_normal(mean, findings, self.gating) if self.gating else mean
