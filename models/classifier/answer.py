"""Converts a network's outputs to logits whose sigmoids are its scores."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


class OutputsToLogits:
    """Converts mutually exclusive outputs (softmax) to log odds; other outputs are already logits."""

    def __init__(self, *, exclusive: bool = False, kept: Sequence[int] | None = None) -> None:
        """`kept` holds the indices of the named outputs, if the network also has unnamed ones."""
        self._exclusive = exclusive
        self._kept = None if kept is None else list(kept)

    def __call__(self, outputs: Tensor) -> Tensor:
        """Return logits (n, findings) for outputs (n, k)."""
        logits = softmax_log_odds(outputs) if self._exclusive else outputs
        return logits if self._kept is None else logits[:, self._kept]


def softmax_log_odds(outputs: Tensor) -> Tensor:
    """Return logits (n, k) whose sigmoids equal the softmax of `outputs` (n, k): log odds of each against the rest."""
    count = outputs.shape[1]
    others = outputs[:, None, :].expand(-1, count, -1)
    itself = torch.eye(count, dtype=torch.bool, device=outputs.device)
    return outputs - others.masked_fill(itself, -torch.inf).logsumexp(2)
