"""Distribution-balanced loss (DB): corrects for films that class-aware sampling repeats; tolerates easy negatives."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from models.training.losses.checks import check_counts, check_range
from models.training.losses.class_weights import MAX_BETA, effective_number


@dataclass(frozen=True, slots=True)
class DistributionBalanced:
    """Binary cross-entropy with a weight for each film and finding, shifted logits, and flatter negatives.

    Weight: w = alpha + sigmoid(beta (r - mu)) with r = (1 / n_i) / (sum of 1 / n_j over the film's findings j), the
    rate at which class-aware sampling draws the film for finding i, relative to its rate for any finding. A film
    without a finding is never drawn this way; its r is infinite and w is alpha + 1. Shift: nu_i = kappa log(N / n_i -
    1), kappa times minus the log odds of the finding's prevalence. With z = logit - nu_i, positives have w log(1 +
    e^-z), negatives w log(1 + e^(lambda z)) / lambda. `gamma` above 0 focuses both, as in DB-Focal. Source: Wu et al.,
    ECCV 2020, Sections 3.1 (weights) and 3.2 (negative-tolerant regularization), with a sum over findings instead of
    the mean; the defaults are the authors' for COCO-MLT (their released settings have gamma 2 and twice the loss). A
    later version of their code divides the shift by lambda; the paper does not. Tailscope's own, because the CXR-LT
    2026 team that combined the loss with effective-number reweighting and a positive logit margin printed no formula:
    positives' terms are multiplied by class_weights.effective_number for `effective_beta` (0 means a factor of 1), and
    `margin`, which is the same for all findings, is subtracted from positives' logits.
    """

    positives: tuple[float, ...]  # (k,) number of films with the finding, n_i
    films: int  # N
    alpha: float = 0.1
    beta: float = 10.0
    mu: float = 0.2
    kappa: float = 0.05
    lambda_: float = 2.0
    gamma: float = 0.0
    effective_beta: float = 0.0
    margin: float = 0.0  # in logits

    def __post_init__(self) -> None:
        """Raise ValueError if a count or a parameter is out of range."""
        check_counts(self.positives, self.films)
        if max(self.positives) >= self.films:
            raise ValueError(f"A finding is on all {self.films:,} films. Leave it out: its log odds are infinite.")
        for name in ("alpha", "beta", "kappa", "gamma", "margin"):
            check_range(name, getattr(self, name), 0)
        check_range("mu", self.mu, -1e3)
        check_range("lambda", self.lambda_, 1e-3)
        check_range("effective_beta", self.effective_beta, 0, MAX_BETA)

    def __call__(self, logits: Tensor, labels: Tensor) -> Tensor:
        """Return the loss per film (n,), summed over findings, of logits (n, k) and labels (n, k) of 0 and 1."""
        numbers = logits.new_tensor(self.positives)
        shifted = logits - self.kappa * torch.log(self.films / numbers - 1)
        lifted = shifted - self.margin
        class_weight = logits.new_tensor(effective_number(self.positives, self.effective_beta))
        positive = class_weight * self._focus(-lifted) * functional.softplus(-lifted)
        scaled = self.lambda_ * shifted
        negative = self._focus(scaled) * functional.softplus(scaled) / self.lambda_
        return (self._weight(numbers, labels) * (labels * positive + (1 - labels) * negative)).sum(1)

    def _weight(self, numbers: Tensor, labels: Tensor) -> Tensor:
        """Return the weight (n, k) of each film and finding, between alpha and alpha + 1."""
        drawn = (labels / numbers).sum(1, keepdim=True)
        ratio = 1 / (numbers * drawn.clamp_min(1e-12))  # large instead of infinite, because 0 times infinity is NaN
        return self.alpha + torch.sigmoid(self.beta * (ratio - self.mu))

    def _focus(self, wrong: Tensor) -> Tensor:
        """Return (1 - q)^gamma, where q is the probability of the true state, from the log odds of the opposite."""
        return (self.gamma * functional.logsigmoid(wrong)).exp()
