"""The output of every head."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class HeadOutput(NamedTuple):
    """The logits of a batch, and the head's own loss, which the trainer adds to the labels' loss."""

    logits: Tensor
    """(n, k): log odds of each finding."""
    auxiliary: Tensor
    """(): already weighted; 0 if the head has none."""
    masks: Tensor | None = None
    """(n, k, h, w): log odds that a cell shows the finding; None if the network does not localize."""
    vectors: Tensor | None = None
    """(n, d): vectors compared between films in contrastive learning; else None."""


def in_32_bits(answer: HeadOutput) -> HeadOutput:
    """Return an output of a network that computed with fewer bits, for losses, which need all."""
    masks, vectors = answer.masks, answer.vectors
    return HeadOutput(
        answer.logits.float(),
        answer.auxiliary.float(),
        None if masks is None else masks.float(),
        None if vectors is None else vectors.float(),
    )
