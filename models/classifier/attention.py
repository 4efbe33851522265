"""Heat maps from the attention of a vision transformer: rollout, and the relevance to one output."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import torch
from timm.models.vision_transformer import VisionTransformer
from torch import Tensor, nn

from models.classifier.backbone import patch_maps

_SEEN: ContextVar[list[Tensor] | None] = ContextVar("seen", default=None)  # attention of this call, block by block


class Attention:
    """A copy of a network that writes its attention out: fused kernels, which others go on with, never do."""

    def __init__(self, model: VisionTransformer) -> None:
        self._network = cast(Any, copy.deepcopy(model))
        for block in self._network.blocks:
            block.attn.fused_attn = False
            block.attn.attn_drop.register_forward_hook(_keep)

    def rollout(self, inputs: Tensor) -> Tensor:
        """Map (h, w) of one film's inputs (1, c, s, s): how much of each patch reaches what the head reads.

        Heads are averaged and half of every block is its shortcut (Abnar and Zuidema, ACL 2020, section 3). The same
        for every finding: no output has a part in it.
        """
        with torch.no_grad(), _attention() as seen:
            self._network(inputs)
        reached = alone = torch.eye(seen[0].shape[-1], dtype=inputs.dtype, device=inputs.device)
        for attention in seen:
            mixed = (attention[0].mean(0) + alone) / 2
            reached = mixed @ reached
        return self._read_by_head(reached)

    def relevance(self, inputs: Tensor, outputs: Callable[[Tensor], Tensor]) -> Tensor:
        """Maps (k, h, w), 0 or more, of one film's inputs (1, c, s, s): attention that speaks for each of k outputs.

        Attention is weighted by its gradient, negative parts cut off, and carried through the blocks (Chefer et al.,
        ICCV 2021, section 3, the rules of self-attention). `outputs` gives the outputs (1, k) from the logits.
        """
        with torch.enable_grad(), _attention() as seen:
            wanted = outputs(self._network(inputs))[0]
            each = [torch.autograd.grad(output, seen, retain_graph=True) for output in wanted]
        maps = []
        for gradients in each:
            relevant = alone = torch.eye(seen[0].shape[-1], dtype=inputs.dtype, device=inputs.device)
            for attention, gradient in zip(seen, gradients, strict=True):
                relevant = relevant + (gradient[0] * attention.detach()[0]).relu().mean(0) @ relevant
            maps.append(self._read_by_head(relevant - alone))
        return torch.stack(maps)

    def _read_by_head(self, between: Tensor) -> Tensor:
        """Of tokens (to, from), what reaches those that the head pools, as a map of the patches."""
        model = self._network
        prefix = model.num_prefix_tokens
        pooled = between[0] if model.global_pool == "token" else between[prefix:].mean(0)
        return patch_maps(pooled[None, :, None], prefix, model.patch_embed.grid_size)[0, 0]


@contextmanager
def _attention() -> Iterator[list[Tensor]]:
    seen: list[Tensor] = []
    token = _SEEN.set(seen)
    try:
        yield seen
    finally:
        _SEEN.reset(token)


def _keep(_module: nn.Module, _given: object, attention: Tensor) -> Tensor:
    seen = _SEEN.get()
    if seen is None:
        return attention
    # Weights are frozen: the first attention is where differentiation begins, where there is any.
    begins = torch.is_grad_enabled() and not attention.requires_grad
    seen.append(attention.detach().requires_grad_() if begins else attention)
    return seen[-1]
