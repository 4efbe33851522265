"""The loss of a network's findings against their labels, whatever its head gives."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.training.heads.output import HeadOutput
from models.training.losses.registry import Loss
from models.training.losses.three_class import three_class_loss

ABSENT_LOGIT = -30.0  # a logit at which the loss of an absent finding is below rounding error


def label_loss(
    loss: Loss, answer: HeadOutput, shift: Tensor, labels: Tensor, uncertain: Tensor | None = None
) -> Tensor:
    """Return the loss per film (n,) of a head's answer, whose findings' log odds are raised by `shift` (n, k).

    A head with parts has the mean of their losses. A head with doubts has the three-class loss instead of `loss`; pairs
    marked in `uncertain` (n, k) are its third class. `labels` (n, k) are NaN where unknown.
    """
    findings = labels.shape[1]
    if answer.doubts is not None:
        third = torch.zeros_like(labels, dtype=torch.bool) if uncertain is None else uncertain
        return three_class_loss(answer.logits[:, :findings] + shift, answer.doubts, labels, third)
    parts = answer.logits[:, None, :findings] if answer.parts is None else answer.parts
    return torch.stack([loss(*mask_unknown(part + shift, labels)) for part in parts.unbind(1)]).mean(0)


def mask_unknown(logits: Tensor, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Return logits and labels (n, findings) in which unknown pairs are set to a confidently absent finding.

    The loss of such a pair and its gradient are 0.
    """
    unknown = labels.isnan()
    return logits.masked_fill(unknown, ABSENT_LOGIT), labels.masked_fill(unknown, 0.0)


def label_counts(labels: NDArray[np.float32]) -> list[float]:
    """Return each finding's number of positive films, for labels (n, k), NaN where unknown.

    A finding whose labels are all unknown has no loss; it gets the mean of the others, so that it changes no weight.
    """
    counts, told = np.nansum(labels, axis=0), ~np.isnan(labels).all(0)
    filled: list[float] = np.where(told, counts, counts[told].mean() if told.any() else 0.0).tolist()
    return filled
