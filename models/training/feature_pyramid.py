"""Feature pyramid: classifiers on the feature maps of several resolutions answer by their sum, and each is trained."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from models.training.heads.head import INITIAL_SCALE, draw_classifier, prevalence_log_odds
from models.training.heads.output import HeadOutput


class FeaturePyramidNetwork(nn.Module):
    """A timm network with a linear classifier on the mean over places of each of its last feature maps.

    The logits are the sum of the classifiers of the last `levels` resolutions. They and each level's own logits are
    trained alike (deep supervision; Lee et al., AISTATS 2015, section 2). CXR-LT 2023 T8 (section 3.2.8; table 1)
    aggregates pooled features of four layers with deep supervision, without a formula; the sum is Tailscope's.
    """

    def __init__(self, body: nn.Module, findings: int, dropout: float, levels: int) -> None:
        """`body` gives only the traits. Raises ValueError if it has fewer resolutions than `levels`."""
        super().__init__()
        channels = [each["num_chs"] for each in cast(Any, body).feature_info]
        if len(channels) < levels:
            raise ValueError(f"The network has {len(channels)} feature maps, fewer than the pyramid's {levels} levels.")
        self.body, self.dropout, self.levels = body, dropout, levels
        self.classifiers = nn.ModuleList(nn.Linear(width, findings) for width in channels[-levels:])
        for layer in self.classifiers:
            draw_classifier(cast(nn.Linear, layer).weight, findings)

    @torch.no_grad()
    def start_at(self, prevalence: NDArray[np.float32]) -> None:
        """Start every level's logits at each finding's log odds, shared evenly in their sum."""
        for layer in self.classifiers:
            linear = cast(nn.Linear, layer)
            linear.weight.mul_(INITIAL_SCALE)
            linear.bias.copy_(prevalence_log_odds(prevalence) / self.levels)

    def outputs(self, inputs: Tensor) -> HeadOutput:
        """Return logits (n, findings + traits) of inputs (n, 1, h, w), and the sum's and the levels' own logits.

        A level's own logits are `levels` times its share of the sum, so that each starts at the prevalence.
        """
        body = cast(Any, self.body)  # timm's interface is a convention, not a type
        last, maps = body.forward_intermediates(inputs, indices=self.levels)
        pooled = [functional.dropout(each.mean((2, 3)), self.dropout, self.training) for each in maps]
        shares = torch.stack([layer(each) for layer, each in zip(self.classifiers, pooled, strict=True)], 1)
        total = shares.sum(1)
        parts = torch.cat([total[:, None], self.levels * shares], 1)
        return HeadOutput(torch.cat([total, body.forward_head(last)], 1), total.new_zeros(()), parts=parts)

    def forward(self, inputs: Tensor) -> Tensor:
        """Return logits (n, findings + traits)."""
        return self.outputs(inputs).logits
