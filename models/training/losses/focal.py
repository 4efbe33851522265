"""Focal loss: findings that the network already classifies well count little."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor
from torch.nn import functional

from models.training.losses.checks import check_range


@dataclass(frozen=True, slots=True)
class Focal:
    """-a (1 - q)^gamma log q, with q the probability of the true state; a is alpha for positives, else 1 - alpha.

    `alpha` = -1 omits a, as in torchvision. Source: Lin et al., ICCV 2017, Equations 4 and 5; gamma 2 and alpha .25 are
    their best values.
    """

    gamma: float = 2.0
    alpha: float = 0.25

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter is out of range."""
        check_range("gamma", self.gamma, 0)
        if self.alpha != -1:
            check_range("alpha (if it is not -1, which omits it)", self.alpha, 0, 1)

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the loss per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        right = logits * (2 * labels - 1)  # log odds of the true state
        # From log(1 - q), because a power of a q rounded to 1 has no finite slope if gamma is below 1.
        focus = (self.gamma * functional.logsigmoid(-right)).exp()
        balance = 1.0 if self.alpha == -1 else self.alpha * labels + (1 - self.alpha) * (1 - labels)
        return -(balance * focus * functional.logsigmoid(right)).sum(1)
