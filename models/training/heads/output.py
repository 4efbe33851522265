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
    doubts: Tensor | None = None
    """(n, k): log odds that a label is uncertain rather than absent; None if uncertainty is not learned."""
    parts: Tensor | None = None
    """(n, m, k): log odds of m parts of a head; if given, the loss is the mean of their losses, not the logits'."""


def in_32_bits(answer: HeadOutput) -> HeadOutput:
    """Return an output of a network that computed with fewer bits, for losses, which need all."""
    return HeadOutput(
        answer.logits.float(),
        answer.auxiliary.float(),
        *(None if each is None else each.float() for each in answer[2:]),
    )
