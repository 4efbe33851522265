"""Diverse experts (RIDE): several classifiers, each trained on its own, pushed to disagree most on rare findings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.head import Head, draw_classifier
from models.training.heads.log_sum_exp import pool_log_sum_exp
from models.training.heads.output import HeadOutput


class DiverseExpertsHead(Head):
    """Experts with their own convolution and classifier answer by their mean logit (Wang et al., RIDE, ICLR 2021).

    Each expert has its own loss against the labels, and all share the auxiliary loss -lambda D. D is the mean over
    ordered pairs of experts of the Kullback-Leibler divergence of their answers (section 3), summed over findings, each
    of which is a yes or no here. Logits are first divided by a temperature of the finding, lower for rare ones, so that
    experts are pushed apart most there. The paper's router, which skips experts to save time, is left out.
    CXR-LT 2023 T9 (section 3.2.9) trains such experts with log-sum-exp pooling and class-balanced sampling.
    """

    def __init__(
        self,
        channels: int,
        findings: int,
        dropout: float,
        *,
        experts: int = 3,
        width: int = 256,
        diversity: float = 0.2,
        mixed: float = 0.05,
        sharpness: float = 0.0,
    ) -> None:
        """`diversity` is lambda, `mixed` how much the temperature depends on prevalence (see `rarity_temperatures`).

        `sharpness` above 0 pools by log-sum-exp, 0 by the mean. Raises ValueError if one is out of range.
        """
        super().__init__(channels, findings, dropout)
        if experts < 2 or width < 1:
            raise ValueError(f"{experts} experts of width {width} are not an ensemble; use at least 2 of width 1.")
        if not (diversity >= 0 and 0 <= mixed <= 1 and 0 <= sharpness < float("inf")):
            raise ValueError(f"diversity {diversity}, mixed {mixed} or sharpness {sharpness} is out of range.")
        self.diversity, self.mixed, self.sharpness = diversity, mixed, sharpness
        self.own = nn.Conv2d(channels, experts * width, 1)
        self.classifiers = nn.Parameter(torch.empty(experts, findings, width))
        self.biases = nn.Parameter(torch.zeros(experts, findings))
        self.register_buffer("temperatures", torch.ones(findings))
        draw_classifier(self.classifiers, findings)

    def see_labels(self, names: Sequence[str], labels: NDArray[np.float32]) -> None:
        """Take the findings' temperatures from their number of films."""
        positives = torch.from_numpy((labels == 1).sum(0).astype(np.float32))
        self.get_buffer("temperatures").copy_(rarity_temperatures(positives, self.mixed))

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return mean logits (n, k) of feature maps (n, c, h, w), the experts' own (n, experts, k), and -lambda D."""
        experts, _, width = self.classifiers.shape
        places = functional.relu(self.own(maps)).flatten(2).transpose(1, 2)
        pooled = pool_log_sum_exp(places, self.sharpness) if self.sharpness else places.mean(1)
        features = functional.dropout(pooled, self.dropout, self.training).reshape(-1, experts, width)
        parts = torch.einsum("nmw,mkw->nmk", features, self.classifiers) + self.biases
        apart = mean_divergence(parts / self.get_buffer("temperatures"))
        return HeadOutput(parts.mean(1), -self.diversity * apart, parts=parts)

    def last_weights(self) -> Sequence[Tensor]:
        """Return the experts' weights (experts, k, width)."""
        return [self.classifiers]

    def last_biases(self) -> Tensor:
        """Return the experts' biases (experts, k)."""
        return self.biases


def rarity_temperatures(positives: Tensor, mixed: float) -> Tensor:
    """Return temperatures (k,) of findings on `positives` (k,) films: b_i / max(b), 1 for the most common.

    b_i = mixed n_i / mean(n) + 1 - mixed (Wang et al., section 3). The quotient and `mixed` = 0.05 are those of the
    authors' code; the paper adds 1 - max(b) instead, which can be negative.
    """
    balance = mixed * positives / positives.mean().clamp_min(1e-9) + 1 - mixed
    return balance / balance.max()


def mean_divergence(parts: Tensor) -> Tensor:
    """Return the mean over ordered pairs of experts and films of their divergence in nats, summed over findings.

    `parts` (n, m, k) are logits; between probabilities p and q it is p log(p / q) + (1 - p) log((1 - p) / (1 - q)).
    """
    one, other = parts[:, :, None], parts[:, None]
    present = torch.sigmoid(one)
    apart = present * (functional.logsigmoid(one) - functional.logsigmoid(other)) + (1 - present) * (
        functional.logsigmoid(-one) - functional.logsigmoid(-other)
    )
    experts = parts.shape[1]
    return apart.sum((1, 2, 3)).mean() / (experts * (experts - 1))
