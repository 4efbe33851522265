"""A weighted ensemble: the mean of several networks' logits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit
from torch import nn

from models.array_types import Float32
from models.training.inference.normal_gating import check_strength, gate_by_own_normal
from models.training.inference.turns import TurnAveraging
from models.training.network import predict


@dataclass(frozen=True, slots=True)
class MeanEnsemble:
    """The mean logit of all networks, as in 2026 Task 1 A and E.

    `weights` are the networks' weights, of any sum; none weighs all equally. `degrees` above 0 lets each network answer
    for the film rotated by that angle to either side, too (models/training/inference/turns.py), and `mirror` for its
    mirror image. `gating` is the strength of the normal gating (models/training/inference/normal_gating.py) of the
    mean, which Task 1 A uses; 0 turns it off. `probability` averages probabilities instead of logits, as 2026 Task 1 E
    (section 3.2) and CheXpert (Irvin et al., AAAI 2019, "Model Selection") do.
    """

    weights: tuple[float, ...] = ()
    degrees: float = 0.0
    gating: float = 0.0
    mirror: bool = False
    probability: bool = False

    def __post_init__(self) -> None:
        if self.weights and not (min(self.weights) >= 0 < sum(self.weights)):
            raise ValueError(f"The weights of the networks are {self.weights}; give numbers of 0 or more, one above 0.")
        if not 0 <= self.degrees <= 45:
            raise ValueError(f"The networks' films are turned by {self.degrees} degrees; give 0 to 45.")
        check_strength(self.gating)

    def check_networks(self, networks: int) -> None:
        """Raise ValueError if there is not one weight for each network."""
        if self.weights and len(self.weights) != networks:
            raise ValueError(f"There are {len(self.weights)} weights for {networks} networks. Give one for each.")

    def __call__(self, networks: Sequence[nn.Module], pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        self.check_networks(len(networks))
        each = np.stack([self._logits(network, pixels, findings) for network in networks])
        weights = np.array(self.weights or (1.0,) * len(networks))
        mean = _weighted_mean(each, weights / weights.sum(), self.probability)
        return gate_by_own_normal(mean, findings, self.gating) if self.gating else mean

    def _logits(self, network: nn.Module, pixels: NDArray[np.uint8], findings: Collection[str]) -> Float32:
        if self.degrees or self.mirror:
            return TurnAveraging(self.degrees, self.mirror)([network], pixels, findings)
        return predict(network, pixels, len(findings))


def _weighted_mean(each: Float32, weights: NDArray[np.float64], probability: bool) -> Float32:
    """Return the mean logits (n, k) of logits (m, n, k), or the log odds of their mean probability."""
    if not probability:
        mean: Float32 = np.einsum("m,mnk->nk", weights, each).astype(np.float32)
        return mean
    exact = each.astype(np.float64)
    present, absent = (np.einsum("m,mnk->nk", weights, expit(side)) for side in (exact, -exact))
    odds: Float32 = (np.log(np.maximum(present, 1e-30)) - np.log(np.maximum(absent, 1e-30))).astype(np.float32)
    return odds
