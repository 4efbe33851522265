"""Asymmetric loss with a weight for each finding's positives and negatives, by its prevalence."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from models.training.losses.asymmetric import MIN_PROBABILITY
from models.training.losses.checks import check_counts, check_range


@dataclass(frozen=True, slots=True)
class WeightedAsymmetric:
    """Asymmetric loss whose positives weigh exp(1 - p_i) and negatives exp(p_i), with p_i the prevalence of finding i.

    A very rare finding's positives thus weigh e times its negatives, and findings on half of the films weigh alike.
    Source: the asymmetric loss of Ridnik et al., ICCV 2021, Section 2, weighted as by CXR-LT 2023 T1 (section 3.2.1;
    Kim, ICCV workshops 2023); the weights and gammas are those of that paper's public code.
    """

    positives: tuple[float, ...]  # (k,) number of films with the finding
    films: int
    gamma_negative: float = 4.0
    gamma_positive: float = 1.0
    clip: float = 0.05  # a probability

    def __post_init__(self) -> None:
        """Raise ValueError if a count or a parameter is out of range."""
        check_counts(self.positives, self.films)
        check_range("gamma_negative", self.gamma_negative, 0)
        check_range("gamma_positive", self.gamma_positive, 0)
        check_range("clip", self.clip, 0, 1)

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the loss per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        prevalence = logits.new_tensor(self.positives) / self.films
        shifted = (torch.sigmoid(logits) - self.clip).clamp_min(0)
        focus = (self.gamma_positive * functional.logsigmoid(-logits)).exp()
        positive = torch.exp(1 - prevalence) * focus * functional.logsigmoid(logits)
        kept = (1 - shifted).clamp_min(MIN_PROBABILITY)
        negative = torch.exp(prevalence) * shifted**self.gamma_negative * torch.log(kept)
        return -(labels * positive + (1 - labels) * negative).sum(1)
