"""What all heads have in common: the contract, and where the first epoch starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.heads.output import HeadOutput

RAREST, COMMONEST = 0.005, 0.5  # as in today's recipe: no bias is so extreme that a finding needs epochs to come back
SMALL = 0.1


class Head(nn.Module):
    """From the last feature map (n, c, h, w) to logits (n, k); the order of the places (h, w) plays no part."""

    def __init__(self, channels: int, findings: int, dropout: float) -> None:
        """`channels` is c, `findings` is k; raises ValueError for a size below 1 or a dropout outside [0, 1)."""
        super().__init__()
        if channels < 1 or findings < 1:
            raise ValueError(f"{channels} channels and {findings} findings make no head; give at least one of each.")
        if not 0 <= dropout < 1:
            raise ValueError(f"Dropout is a share; {dropout} does not lie in [0, 1).")
        self.channels, self.findings, self.dropout = channels, findings, dropout

    if TYPE_CHECKING:  # nn.Module's own call returns Any

        def __call__(self, maps: Tensor) -> HeadOutput: ...

    def forward(self, maps: Tensor) -> HeadOutput:
        """Logits and auxiliary loss of feature maps (n, c, h, w)."""
        raise NotImplementedError

    def last_weights(self) -> Sequence[Tensor]:
        """The weights that make logits of features."""
        raise NotImplementedError

    def last_biases(self) -> Tensor:
        """The biases (..., k): adding x to all of a finding's adds x to its logit."""
        raise NotImplementedError

    @torch.no_grad()
    def start_at(self, prevalence: NDArray[np.float32]) -> None:
        """Let a fresh head answer the log odds of each finding: the first epochs are not spent on learning them.

        `prevalence` (up to k,) is clamped to 0.005-0.5; outputs beyond it start at even odds. The last weights shrink
        to a tenth, so call it once. What the head answers to maps of zeros is taken off the biases, so that it is right
        also where something besides the maps, such as a query, reaches the logits. Raises ValueError for NaN or too
        many findings.
        """
        if len(prevalence) > self.findings or np.isnan(prevalence).any():
            raise ValueError(
                f"A prevalence of {len(prevalence)} findings, {int(np.isnan(prevalence).sum())} of them unknown (NaN), "
                f"does not fit a head of {self.findings}; leave out findings that no film was labeled for."
            )
        for weight in self.last_weights():
            weight.mul_(SMALL)
        biases = self.last_biases()
        biases.zero_()
        target = biases.new_zeros(self.findings)
        target[: len(prevalence)] = log_odds(prevalence)
        training = self.training
        dark = self.eval()(biases.new_zeros(1, self.channels, 1, 1)).logits[0]
        self.train(training)
        biases.add_(target - dark)


def log_odds(prevalence: NDArray[np.float32]) -> Tensor:
    """What a classifier begins with (k,): the log odds of a prevalence (k,) clamped to 0.005-0.5."""
    return torch.logit(torch.from_numpy(prevalence).clamp(RAREST, COMMONEST))


def draw_classifier(weights: Tensor, findings: int) -> None:
    """Draw `weights` as timm draws an EfficientNet's classifier, uniform to 1 / sqrt(k): heads differ in one thing."""
    nn.init.uniform_(weights, -(findings**-0.5), findings**-0.5)
