"""Three-class head: beside each finding's logit, the log odds that a report would be uncertain of it."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.head import Head, draw_classifier
from models.training.heads.output import HeadOutput

UNCERTAIN_LOG_ODDS = -3.0  # initial log odds of uncertain against absent: one label in twenty


class ThreeClassHead(Head):
    """Two linear layers on the mean over places, for the three classes of CheXpert's U-MultiClass.

    One gives the log odds of present against absent, which are the logits; the other those of uncertain against absent,
    for `losses.three_class` (Irvin et al., AAAI 2019, section "Uncertainty Approaches").
    """

    def __init__(
        self, channels: int, findings: int, dropout: float, *, initial_doubt: float = UNCERTAIN_LOG_ODDS
    ) -> None:
        """`initial_doubt` is the log odds of uncertain against absent with which all findings start."""
        super().__init__(channels, findings, dropout)
        self.classifier, self.doubt = nn.Linear(channels, findings), nn.Linear(channels, findings)
        for layer, bias in ((self.classifier, 0.0), (self.doubt, initial_doubt)):
            draw_classifier(layer.weight, findings)
            nn.init.constant_(layer.bias, bias)

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits and doubts (n, k) of feature maps (n, c, h, w); no auxiliary loss."""
        features = functional.dropout(maps.mean((2, 3)), self.dropout, self.training)
        logits = self.classifier(features)
        return HeadOutput(logits, logits.new_zeros(()), doubts=self.doubt(features))

    def last_weights(self) -> Sequence[Tensor]:
        """Return both layers' weights (k, c)."""
        return [self.classifier.weight, self.doubt.weight]

    def last_biases(self) -> Tensor:
        """Return the classifier's biases (k,)."""
        return self.classifier.bias
