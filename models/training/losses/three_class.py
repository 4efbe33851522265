"""Three-class loss: a label is absent, present or uncertain, and uncertainty has an output of its own."""

from __future__ import annotations

import torch
from torch import Tensor


def three_class_loss(logits: Tensor, doubts: Tensor, labels: Tensor, uncertain: Tensor) -> Tensor:
    """Return the loss per film (n,), summed over findings: cross-entropy of absent, present and uncertain.

    `logits` (n, k) are the log odds of present against absent, `doubts` (n, k) those of uncertain against absent, so
    that the three probabilities are proportional to 1, exp(logit) and exp(doubt). The score at test time is
    sigmoid(logit), the softmax restricted to present and absent. `labels` (n, k) are 1, 0 or NaN where unknown; pairs
    marked in `uncertain` (n, k) count as uncertain whatever their label, other unknown ones not at all. A label between
    0 and 1 is a mixture of present and absent. Source: CheXpert's U-MultiClass, Irvin et al., AAAI 2019, "Uncertainty
    Approaches", with a sum over findings instead of the mean.
    """
    rest = torch.logsumexp(torch.stack([torch.zeros_like(logits), logits, doubts]), 0)
    certain = rest - labels.nan_to_num() * logits
    loss = torch.where(uncertain, rest - doubts, certain)
    return torch.where(labels.isnan() & ~uncertain, torch.zeros_like(loss), loss).sum(1)
