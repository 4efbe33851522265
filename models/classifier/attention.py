"""Heat maps from the attention of a vision transformer: rollout, and relevance to one output."""

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

_SEEN: ContextVar[list[Tensor] | None] = ContextVar("seen", default=None)  # attention of the current call, by block


class AttentionNetwork:
    """A copy of a network with fused attention kernels turned off, because they do not expose attention."""

    def __init__(self, model: VisionTransformer) -> None:
        self._network = cast(Any, copy.deepcopy(model))
        for block in self._network.blocks:
            block.attn.fused_attn = False
            block.attn.attn_drop.register_forward_hook(_keep)

    def rollout(self, inputs: Tensor) -> Tensor:
        """Return a map (h, w) of how much of each patch reaches the head, for one film's inputs (1, c, s, s).

        Heads are averaged, and half of every block's flow is its shortcut (Abnar and Zuidema, ACL 2020, section 3). The
        map involves no output, so it is the same for every finding.
        """
        with torch.no_grad(), _attention() as attentions:
            self._network(inputs)
        reached = alone = torch.eye(attentions[0].shape[-1], dtype=inputs.dtype, device=inputs.device)
        for attention in attentions:
            mixed = (attention[0].mean(0) + alone) / 2
            reached = mixed @ reached
        return self._map_at_head(reached)

    def relevance(self, inputs: Tensor, outputs: Callable[[Tensor], Tensor]) -> Tensor:
        """Return maps (k, h, w), 0 or more, of the attention in favor of k outputs, for one film's inputs (1, c, s, s).

        Attention is weighted by its gradient, clipped at 0, and propagated through the blocks (Chefer et al., ICCV
        2021, section 3, rules for self-attention). `outputs` computes the outputs (1, k) from the logits.
        """
        with torch.enable_grad(), _attention() as attentions:
            wanted = outputs(self._network(inputs))[0]
            each = [torch.autograd.grad(output, attentions, retain_graph=True) for output in wanted]
        maps = []
        for gradients in each:
            relevant = alone = torch.eye(attentions[0].shape[-1], dtype=inputs.dtype, device=inputs.device)
            for attention, gradient in zip(attentions, gradients, strict=True):
                relevant = relevant + (gradient[0] * attention.detach()[0]).relu().mean(0) @ relevant
            maps.append(self._map_at_head(relevant - alone))
        return torch.stack(maps)

    def _map_at_head(self, between: Tensor) -> Tensor:
        """Return the flow from patches to the tokens that the head pools, as a map; `between` is (to, from) tokens."""
        model = self._network
        prefix = model.num_prefix_tokens
        pooled = between[0] if model.global_pool == "token" else between[prefix:].mean(0)
        return patch_maps(pooled[None, :, None], prefix, model.patch_embed.grid_size)[0, 0]


@contextmanager
def _attention() -> Iterator[list[Tensor]]:
    attentions: list[Tensor] = []
    token = _SEEN.set(attentions)
    try:
        yield attentions
    finally:
        _SEEN.reset(token)


def _keep(_module: nn.Module, _given: object, attention: Tensor) -> Tensor:
    attentions = _SEEN.get()
    if attentions is None:
        return attention
    # Weights are frozen, so if gradients are wanted, differentiation starts at the first attention.
    begins = torch.is_grad_enabled() and not attention.requires_grad
    attentions.append(attention.detach().requires_grad_() if begins else attention)
    return attentions[-1]
