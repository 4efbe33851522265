"""Asymmetric loss (ASL): easy negatives count less than easy positives, and the easiest not at all."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from models.training.losses.checks import check_range

MIN_PROBABILITY = 1e-6  # floor of probabilities before the logarithm


@dataclass(frozen=True, slots=True)
class Asymmetric:
    """-(1 - p)^gamma_positive log p for positives, -q^gamma_negative log(1 - q) with q = max(p - clip, 0) for others.

    Without a clip, a negative with p above 1 - 1e-6 has no gradient, because of the logarithm's floor.
    Source: Ridnik et al., ICCV 2021, Section 2 (asymmetric focusing, probability shifting), with their defaults. The
    authors' code can exclude the focusing factors from the gradient; here they are included, as in the formula.
    """

    gamma_negative: float = 4.0
    gamma_positive: float = 0.0
    clip: float = 0.05  # a probability

    def __post_init__(self) -> None:
        """Raise ValueError if a parameter is out of range."""
        check_range("gamma_negative", self.gamma_negative, 0)
        check_range("gamma_positive", self.gamma_positive, 0)
        check_range("clip", self.clip, 0, 1)

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the loss per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        shifted = (torch.sigmoid(logits) - self.clip).clamp_min(0)
        focus = (self.gamma_positive * functional.logsigmoid(-logits)).exp()
        positive = labels * focus * functional.logsigmoid(logits)
        negative = (1 - labels) * shifted**self.gamma_negative * torch.log((1 - shifted).clamp_min(MIN_PROBABILITY))
        return -(positive + negative).sum(1)
