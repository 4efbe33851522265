"""Class-specific residual attention (CSRA): each finding attends to its own places in addition to all of them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.head import Head, draw_classifier
from models.training.heads.output import HeadOutput

PAPER_TEMPERATURES = {
    2: (1.0, math.inf),
    4: (1.0, 2.0, 4.0, math.inf),
    6: (1.0, 2.0, 3.0, 4.0, 5.0, math.inf),
    8: (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, math.inf),
}


class ResidualAttentionHead(Head):
    """Class-specific residual attention (Zhu and Wu, ICCV 2021, section 3).

    Given a finding's score s at each place, a head returns mean(s) + lambda sum(softmax(T s) s) over places; for
    infinite T, the largest score replaces the sum (eq. 8). If there are several heads, each has its own classifier, and
    their outputs are added (figure 3). Unlike in the paper, the sum has a bias for each finding, because a head without
    one cannot start at a prevalence.
    """

    def __init__(
        self,
        channels: int,
        findings: int,
        dropout: float,
        *,
        weight: float = 0.1,
        temperature: float = 1.0,
        heads: int = 1,
        normalize: bool = False,
    ) -> None:
        """`weight` is lambda, `temperature` the T of a single head; 2, 4, 6 or 8 heads use the paper's temperatures.

        `normalize` divides a finding's weights by their length. The authors do so to converge sooner and found no final
        difference (their table 8); it is off here, so that lambda = 0 equals the linear head, and it would undo the
        small weights of `start_at`. Raises ValueError for an invalid number of heads, temperature or weight.
        """
        super().__init__(channels, findings, dropout)
        if heads != 1 and heads not in PAPER_TEMPERATURES:
            raise ValueError(f"The paper gives no temperatures for {heads} heads; use 1, 2, 4, 6 or 8.")
        if heads != 1 and temperature != 1.0:
            raise ValueError(f"{heads} heads have the paper's temperatures; omit `temperature`, or use 1 head.")
        if not temperature > 0:
            raise ValueError(f"The temperature is {temperature}; it must be above 0, or inf for the largest score.")
        if not 0 <= weight < math.inf:
            raise ValueError(f"The attention's weight is {weight}; it must be finite and not negative.")
        self.temperatures = PAPER_TEMPERATURES.get(heads, (float(temperature),))
        self.weight, self.normalize = weight, normalize
        self.classifiers = nn.Parameter(torch.empty(heads, findings, channels))
        self.bias = nn.Parameter(torch.zeros(findings))
        draw_classifier(self.classifiers, findings)

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w); no auxiliary loss."""
        # Whole channels are dropped, which, for the mean over places, equals the linear head's dropout.
        places = functional.dropout2d(maps, self.dropout, self.training).flatten(2).transpose(1, 2)
        classifiers = functional.normalize(self.classifiers, dim=-1) if self.normalize else self.classifiers
        logits = self.bias.expand(len(maps), -1)
        for classifier, temperature in zip(classifiers, self.temperatures, strict=True):
            scores = functional.linear(places, classifier)
            logits = logits + scores.mean(1) + self.weight * _attended(scores, temperature)
        return HeadOutput(logits, logits.new_zeros(()))

    def last_weights(self) -> Sequence[Tensor]:
        """Return the classifiers' weights (heads, k, c)."""
        return [self.classifiers]

    def last_biases(self) -> Tensor:
        """Return the biases (k,) shared by all heads."""
        return self.bias


def _attended(scores: Tensor, temperature: float) -> Tensor:
    """Return scores (n, places, k) weighted by their own softmax over places: (n, k)."""
    if math.isinf(temperature):
        return scores.amax(1)  # splits the gradient among equal maxima, regardless of their order
    return (torch.softmax(temperature * scores, 1) * scores).sum(1)
