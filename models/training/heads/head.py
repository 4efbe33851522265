"""The interface of all heads, and their initial outputs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.training.heads.output import HeadOutput

MIN_PREVALENCE, MAX_PREVALENCE = 0.005, 0.5  # limits the initial bias, which otherwise could take epochs to unlearn
INITIAL_SCALE = 0.1


class Head(nn.Module):
    """From the last feature map (n, c, h, w) to logits (n, k), independent of the order of places (h, w)."""

    reads_studies = False  # whether it reads the feature maps of several films, by `read_studies`

    def __init__(self, channels: int, findings: int, dropout: float) -> None:
        """`channels` is c, `findings` is k; raises ValueError for a size below 1 or a dropout outside [0, 1)."""
        super().__init__()
        if channels < 1 or findings < 1:
            raise ValueError(
                f"A head cannot have {channels} channels and {findings} findings; both must be at least 1."
            )
        if not 0 <= dropout < 1:
            raise ValueError(f"The dropout is {dropout}; it must be a share in [0, 1).")
        self.channels, self.findings, self.dropout = channels, findings, dropout

    if TYPE_CHECKING:  # nn.Module's own __call__ returns Any

        def __call__(self, maps: Tensor) -> HeadOutput: ...

    def forward(self, maps: Tensor) -> HeadOutput:
        """Return the logits and auxiliary loss of feature maps (n, c, h, w)."""
        raise NotImplementedError

    def read_studies(self, maps: Tensor, present: Tensor, lateral: Tensor) -> HeadOutput:
        """Return the output for studies of films: maps (n, v, c, h, w), whether each exists, and is lateral (n, v)."""
        raise NotImplementedError

    def last_weights(self) -> Sequence[Tensor]:
        """Return the weights that turn features into logits."""
        raise NotImplementedError

    def last_biases(self) -> Tensor:
        """Return the biases (..., k): adding x to all of a finding's biases adds x to its logit."""
        raise NotImplementedError

    def see_labels(self, names: Sequence[str], labels: NDArray[np.float32]) -> None:
        """Take what the head needs to know of the findings `names` (k,) and the training labels (n, k), NaN if unknown.

        Called once before `start_at`. Most heads need nothing; without the call, the others work with placeholders.
        """

    @torch.no_grad()
    def start_at(self, prevalence: NDArray[np.float32]) -> None:
        """Start a new head at each finding's log odds, so that the first epochs are not spent on learning them.

        `prevalence`, of up to k findings, is clamped to 0.005-0.5; further outputs start at even odds. The last weights
        shrink to a tenth, so call this once. The head's answer to maps of zeros is subtracted from the biases, which
        also corrects for other inputs to the logits, such as a query. Raises ValueError for NaN or too many findings.
        """
        if len(prevalence) > self.findings or np.isnan(prevalence).any():
            raise ValueError(
                f"A prevalence of {len(prevalence)} findings, {int(np.isnan(prevalence).sum())} of them unknown (NaN), "
                f"does not fit a head of {self.findings}; leave out findings for which no film is labeled."
            )
        for weight in self.last_weights():
            weight.mul_(INITIAL_SCALE)
        biases = self.last_biases()
        biases.zero_()
        target = biases.new_zeros(self.findings)
        target[: len(prevalence)] = prevalence_log_odds(prevalence)
        training = self.training
        dark = self.eval()(biases.new_zeros(1, self.channels, 1, 1)).logits[0]
        self.train(training)
        biases.add_(target - dark)


def prevalence_log_odds(prevalence: NDArray[np.float32]) -> Tensor:
    """Return initial logits (k,): the log odds of a prevalence (k,) clamped to 0.005-0.5."""
    return torch.logit(torch.from_numpy(prevalence).clamp(MIN_PREVALENCE, MAX_PREVALENCE))


def draw_classifier(weights: Tensor, findings: int) -> None:
    """Draw `weights` uniformly up to 1 / sqrt(k), like timm's EfficientNet classifier; all heads start this way."""
    nn.init.uniform_(weights, -(findings**-0.5), findings**-0.5)
