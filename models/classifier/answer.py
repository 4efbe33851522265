"""From what a network's last layer gives to logits whose sigmoids are its scores."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


class Answer:
    """Of a network whose outputs exclude one another (softmax) the log odds of each; else its outputs as they are."""

    def __init__(self, *, exclusive: bool = False, kept: Sequence[int] | None = None) -> None:
        """`kept` are the outputs that have a name, where not all have one and the network still gives all."""
        self._exclusive = exclusive
        self._kept = None if kept is None else list(kept)

    def __call__(self, outputs: Tensor) -> Tensor:
        """Logits (n, findings) of outputs (n, k)."""
        logits = log_odds(outputs) if self._exclusive else outputs
        return logits if self._kept is None else logits[:, self._kept]


def log_odds(outputs: Tensor) -> Tensor:
    """Logits (n, k) whose sigmoids are the softmax of `outputs` (n, k): each against all others together."""
    count = outputs.shape[1]
    others = outputs[:, None, :].expand(-1, count, -1)
    itself = torch.eye(count, dtype=torch.bool, device=outputs.device)
    return outputs - others.masked_fill(itself, -torch.inf).logsumexp(2)
