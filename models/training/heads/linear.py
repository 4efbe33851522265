"""The baseline's head: mean over places, dropout, one linear layer."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.head import Head, draw_classifier
from models.training.heads.output import HeadOutput


class LinearHead(Head):
    """logits = W mean(x) + b, as in timm's EfficientNet (global average pooling; Lin et al., ICLR 2014, 3.2)."""

    def __init__(self, channels: int, findings: int, dropout: float, *, initial_bias: float = 0.0) -> None:
        """`initial_bias` is the log odds with which findings start unless `start_at` is called. A negative value keeps
        the many absent findings from dominating the first steps (Lin et al., ICCV 2017, 3.3).
        """
        super().__init__(channels, findings, dropout)
        self.classifier = nn.Linear(channels, findings)
        draw_classifier(self.classifier.weight, findings)
        nn.init.constant_(self.classifier.bias, initial_bias)

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return logits (n, k) of feature maps (n, c, h, w); no auxiliary loss."""
        logits = self.classifier(functional.dropout(maps.mean((2, 3)), self.dropout, self.training))
        return HeadOutput(logits, logits.new_zeros(()))

    def last_weights(self) -> Sequence[Tensor]:
        """Return the classifier's weights (k, c)."""
        return [self.classifier.weight]

    def last_biases(self) -> Tensor:
        """Return the classifier's biases (k,)."""
        return self.classifier.bias
