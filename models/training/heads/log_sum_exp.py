"""Log-sum-exp pooling: between the mean and the largest of a finding's scores over places."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.head import Head, draw_classifier
from models.training.heads.output import HeadOutput


class LogSumExpHead(Head):
    """logit = log(mean of exp(r s)) / r over places, with s = w x + b (Pinheiro and Collobert, CVPR 2015, section 3.2).

    A small r gives nearly the mean, a large r nearly the maximum. CXR-LT 2023 T9 (section 3.2.9) pools this way.
    """

    def __init__(self, channels: int, findings: int, dropout: float, *, sharpness: float = 5.0) -> None:
        """`sharpness` is r; the paper uses 5. Raises ValueError unless it is above 0 and finite."""
        super().__init__(channels, findings, dropout)
        if not 0 < sharpness < math.inf:
            raise ValueError(f"The sharpness of log-sum-exp pooling is {sharpness}; it must be above 0 and finite.")
        self.sharpness = sharpness
        self.classifier = nn.Linear(channels, findings)
        draw_classifier(self.classifier.weight, findings)
        nn.init.zeros_(self.classifier.bias)

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w); no auxiliary loss."""
        places = functional.dropout2d(maps, self.dropout, self.training).flatten(2).transpose(1, 2)
        logits = pool_log_sum_exp(self.classifier(places), self.sharpness)
        return HeadOutput(logits, logits.new_zeros(()))

    def last_weights(self) -> Sequence[Tensor]:
        """Return the classifier's weights (k, c)."""
        return [self.classifier.weight]

    def last_biases(self) -> Tensor:
        """Return the classifier's biases (k,)."""
        return self.classifier.bias


def pool_log_sum_exp(scores: Tensor, sharpness: float) -> Tensor:
    """Return the pooled scores (n, k) of scores (n, places, k)."""
    return (torch.logsumexp(sharpness * scores, 1) - math.log(scores.shape[1])) / sharpness
