"""Supervised contrastive learning: puts films of the same class close together on a sphere before classification."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


class ContrastiveProjection(nn.Module):
    """From the last feature map to a unit vector: mean over places, a hidden layer, a layer of `width`.

    Dropped when the classifier is trained on the backbone (Khosla et al., NeurIPS 2020, section 3.1).
    """

    def __init__(self, channels: int, width: int = 128, hidden: int | None = None) -> None:
        """`hidden` defaults to `channels`, because the paper's 2,048 equal the channels of its ResNet-50."""
        super().__init__()
        hidden = hidden or channels
        self.hidden, self.last = nn.Linear(channels, hidden), nn.Linear(hidden, width)

    def forward(self, maps: Tensor) -> Tensor:
        """Return unit vectors (n, width) of feature maps (n, c, h, w)."""
        return functional.normalize(self.last(functional.relu(self.hidden(maps.mean((2, 3))))), dim=1)


def supervised_contrastive(features: Tensor, classes: Tensor, temperature: float = 0.1) -> Tensor:
    """Return the loss per film (n,) of unit vectors `features` (n, d) and their `classes` (n,).

    -mean of log(exp(z_i z_p / T) / sum of exp(z_i z_a / T)) over the other films p of i's class, with a over all films
    but i: the sum over p is outside the logarithm (Khosla et al., NeurIPS 2020, eq. 2), without the factor T / 0.07 of
    the authors' code. A film alone in its class gets 0, which lowers the batch's mean over all n.

    Raises ValueError for a temperature that is not above 0, or different numbers of films and classes.
    """
    if not temperature > 0:
        raise ValueError(f"The temperature is {temperature}; it must be above 0.")
    if features.ndim != 2 or classes.shape != features.shape[:1]:
        raise ValueError(f"Expected features (n, d) and classes (n,), not {features.shape} and {classes.shape}.")
    features = features.float()
    itself = torch.eye(len(features), dtype=torch.bool, device=features.device)
    similarity = features @ features.T / temperature
    # Not minus infinity: with a batch of one film the softmax would divide by 0 and its gradient be NaN.
    log_share = torch.log_softmax(similarity.masked_fill(itself, torch.finfo(similarity.dtype).min), 1)
    partners = (classes[:, None] == classes[None]) & ~itself
    return -log_share.where(partners, 0.0).sum(1) / partners.sum(1).clamp_min(1)
