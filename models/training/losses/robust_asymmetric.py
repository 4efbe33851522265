"""Robust asymmetric loss (RAL): asymmetric loss with different leading terms for positives, and a Hill factor."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from models.training.losses.checks import check_range


@dataclass(frozen=True, slots=True)
class RobustAsymmetric:
    """Asymmetric loss with two changed Taylor coefficients in the positives' logarithm, and Hill's factor.

    With p = sigmoid(logit), q = max(p - clip, 0) and r = 1 - q:
    positives  -(1 - p)^gamma_positive (log p + first (1 - p) + second (1 - p)^2 / 2)
    negatives  -(hill - p) p^2 (hill - r) q^gamma_negative log r

    -log p is the sum of (1 - p)^m / m over m = 1, 2, ...: `first` = 1 removes its linear term, `second` = -2.5 raises
    the coefficient of its square from .5 to 1.75. (hill - p) p^2 is Hill loss for negatives: its slope falls again
    toward p = 1, where a negative may be a finding that no one noted.
    Source: Park et al., ICCV Workshops 2023 (arXiv 2308.05542), as in the authors' public code and settings. The second
    Hill factor, (hill - r), is in that code too. Its linear coefficient for negatives is 0 in their settings and left
    out here. The polynomial is from Huang et al., ICASSP 2023 (arXiv 2304.05361), Hill loss from Zhang et al., arXiv
    2112.07368.
    """

    gamma_negative: float = 4.0
    gamma_positive: float = 0.0
    clip: float = 0.05  # a probability
    hill: float = 1.5
    first: float = 1.0
    second: float = -2.5

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter is out of range."""
        check_range("gamma_negative", self.gamma_negative, 0)
        check_range("gamma_positive", self.gamma_positive, 0)
        check_range("clip", self.clip, 0, 1)
        check_range("hill", self.hill, 1)  # below 1, a negative's loss would be below 0
        check_range("first", self.first, -1e3, 1)  # above 1, a positive would gain from a lower probability
        check_range("second", self.second, -1e3, 1)  # for the same reason

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the loss per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        present, absent = torch.sigmoid(logits), torch.sigmoid(-logits)  # above a logit of 17, 1 - p would round to 0
        polynomial = functional.logsigmoid(logits) + self.first * absent + self.second * absent.square() / 2
        positive = (self.gamma_positive * functional.logsigmoid(-logits)).exp() * polynomial
        shifted = (present - self.clip).clamp_min(0)
        kept = (absent + self.clip).clamp_max(1)  # r
        hill = (self.hill - present) * present.square() * (self.hill - kept)
        negative = hill * shifted**self.gamma_negative * kept.log()
        return -(labels * positive + (1 - labels) * negative).sum(1)
