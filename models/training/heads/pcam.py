"""Probabilistic-CAM pooling (PCAM): a finding's own probability at each place weighs its evidence there."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.head import Head, draw_classifier
from models.training.heads.output import HeadOutput


class PcamHead(Head):
    """logit = w (sum of a_ij x_ij) + b, with a_ij proportional to sigmoid(w x_ij + b) and summing to 1 over places.

    The same weights w and bias b of a finding score places and classify the pooled features, so that the logit equals
    the mean of the places' scores weighted by their probabilities. Source: Ye et al., Weakly supervised lesion
    localization with probabilistic-CAM pooling, arXiv 2005.14480, section 3. CXR-LT 2026 Task 1 B (table 2) names
    "PCAM pretraining": its networks start from one that was trained with this pooling.
    """

    def __init__(self, channels: int, findings: int, dropout: float) -> None:
        """`channels` is c, `findings` is k."""
        super().__init__(channels, findings, dropout)
        self.classifier = nn.Linear(channels, findings)
        draw_classifier(self.classifier.weight, findings)
        nn.init.zeros_(self.classifier.bias)

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w); no auxiliary loss."""
        # Whole channels are dropped, which, for the mean over places, equals the linear head's dropout.
        places = functional.dropout2d(maps, self.dropout, self.training).flatten(2).transpose(1, 2)
        scores = self.classifier(places)  # (n, places, k), with the bias
        shares = torch.softmax(functional.logsigmoid(scores), 1)  # sigmoid(s) / sum of sigmoid(s)
        logits = (shares * scores).sum(1)
        return HeadOutput(logits, logits.new_zeros(()))

    def last_weights(self) -> Sequence[Tensor]:
        """Return the classifier's weights (k, c)."""
        return [self.classifier.weight]

    def last_biases(self) -> Tensor:
        """Return the classifier's biases (k,)."""
        return self.classifier.bias
