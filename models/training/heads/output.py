"""What every head answers."""

from __future__ import annotations

from typing import NamedTuple

from torch import Tensor


class HeadOutput(NamedTuple):
    """Logits of a batch, and a loss of the head's own that the trainer adds to that of the labels."""

    logits: Tensor
    """(n, k): log odds of each finding."""
    auxiliary: Tensor
    """(): already weighted; 0 where the head has none."""
    masks: Tensor | None = None
    """(n, k, h, w): log odds that a cell shows the finding; None where nothing says where findings lie."""
    vectors: Tensor | None = None
    """(n, d): what is compared between films where a network learns from their likeness; else None."""
