"""A timm network cut in two at its last feature map: the costly part below, the head above, Grad-CAM between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import torch
from timm.models.vision_transformer import VisionTransformer
from torch import Tensor, nn

from models.cards.card import UnusableModel
from models.classifier.answer import Answer

# The stages after which this call looks, and where it puts what it sees; other threads and other calls see None.
_TAPPED: ContextVar[tuple[list[nn.Module], list[Tensor]] | None] = ContextVar("tapped", default=None)


class Backbone:
    """Splits a timm model in two without copying it.

    Convolutional networks and Swin are cut after `forward_features`. A plain vision transformer that pools its class
    token has no gradient there on the patches, so it is cut before its last block. `stages` are the modules after which
    `gradients` can look into the network, as timm names them.
    """

    def __init__(self, model: nn.Module, *, stages: bool = False, answer: Answer | None = None) -> None:
        """`stages`: put a hook on each of them, which does nothing but in a call of `gradients`. Do so once a model.

        `answer` makes logits of what the network's last layer gives.
        """
        self.answer = answer or Answer()
        self.network = cast(Any, model)  # timm's interface is by convention, not by type
        self._transformer = isinstance(model, VisionTransformer)
        self._channel = 3 if getattr(model, "output_fmt", "NCHW") == "NHWC" else 1
        named = getattr(model, "feature_info", ()) if stages else ()
        self.stages: tuple[str, ...] = tuple(str(stage["module"]) for stage in named)
        for name in self.stages:
            model.get_submodule(name).register_forward_hook(_tap)

    @property
    def width(self) -> int:
        """How many features the last linear layer reads."""
        return int(self.network.head_hidden_size)

    def maps(self, inputs: Tensor) -> Tensor:
        """The last feature maps: (n, c, h, w), (n, h, w, c) for Swin, (n, tokens, c) for a vision transformer."""
        if not self._transformer:
            maps: Tensor = self.network.forward_features(inputs)
            if maps.ndim != 4:
                raise UnusableModel(
                    f"No heat map can be made for {type(self.network).__name__}",
                    "Its last layer is not a feature map. Use a convolutional network, Swin or a vision transformer.",
                )
            return maps
        model = self.network
        tokens: Tensor = model.norm_pre(model.patch_drop(model._pos_embed(model.patch_embed(inputs))))
        for block in model.blocks[:-1]:
            tokens = block(tokens)
        return tokens

    def head(self, maps: Tensor) -> Tensor:
        """Logits (n, findings) of feature maps."""
        return self.answer(self.network.forward_head(self._finish(maps)))

    def pooled(self, maps: Tensor) -> Tensor:
        """Features (n, width) that the last linear layer reads."""
        features: Tensor = self.network.forward_head(self._finish(maps), pre_logits=True)
        return features.flatten(1)

    def grad_cam(self, maps: Tensor, findings: int) -> tuple[Tensor, Tensor]:
        """Logits (findings,) and Grad-CAM (findings, h, w) of one film's feature maps (1, ...).

        The maps are repeated once per finding; output k of copy k is differentiated, all in one pass back.
        """
        copies = maps.detach().repeat(findings, *[1] * (maps.ndim - 1)).requires_grad_()
        with torch.enable_grad():
            logits = self.head(copies).diagonal()
            (gradient,) = torch.autograd.grad(logits.sum(), copies)
        return logits.detach(), weighted_maps(self.spatial(maps)[0], self.spatial(gradient))

    def gradients(
        self, inputs: Tensor, outputs: Callable[[Tensor], Tensor], layers: Sequence[str] = ()
    ) -> list[tuple[Tensor, Tensor]]:
        """After each stage, one film's activations (c, h, w) and the gradients (k, c, h, w) there of k outputs.

        `outputs` gives them (k,) from the last feature maps of `inputs` (1, ...), for which no layer stands. The
        network runs once; below the lowest stage nothing is differentiated. Raises ValueError for what is no stage.
        """
        with torch.enable_grad(), self._seen_after(layers) as seen:
            maps = self.maps(inputs)
            if not layers:
                maps = maps.detach().requires_grad_()
                seen.append(maps)
            each = [torch.autograd.grad(output, seen, retain_graph=True) for output in outputs(maps)]
        by_stage = [torch.cat(column) for column in zip(*each, strict=True)]
        return [
            (self.spatial(at.detach())[0], self.spatial(gradient)) for at, gradient in zip(seen, by_stage, strict=True)
        ]

    @contextmanager
    def _seen_after(self, layers: Sequence[str]) -> Iterator[list[Tensor]]:
        """Inside, what comes out of these stages is put into the list; of the lowest it is a leaf of its own."""
        for layer in layers:
            if layer not in self.stages:
                raise ValueError(
                    f"{type(self.network).__name__} has no stage {layer!r}; it has {', '.join(self.stages)}."
                )
        seen: list[Tensor] = []
        token = _TAPPED.set(([self.network.get_submodule(layer) for layer in layers], seen) if layers else None)
        try:
            yield seen
        finally:
            _TAPPED.reset(token)

    def _finish(self, maps: Tensor) -> Tensor:
        if not self._transformer:
            return maps
        tokens: Tensor = self.network.norm(self.network.blocks[-1](maps))
        return tokens

    def spatial(self, maps: Tensor) -> Tensor:
        """Any layout to (n, c, h, w)."""
        if not self._transformer:
            return maps if self._channel == 1 else maps.permute(0, 3, 1, 2)
        return patch_maps(maps, self.network.num_prefix_tokens, self.network.patch_embed.grid_size)


def _tap(stage: nn.Module, inputs: object, output: Tensor) -> Tensor | None:
    stages, seen = _TAPPED.get() or ([], [])
    if not any(stage is each for each in stages):
        return None
    seen.append(output if seen else output.detach().requires_grad_())
    return seen[-1]


def patch_maps(tokens: Tensor, prefix: int, grid: tuple[int, int]) -> Tensor:
    """A vision transformer's tokens (n, prefix + patches, c), those before the patches left out, as (n, c, h, w)."""
    return tokens[:, prefix:].transpose(1, 2).reshape(len(tokens), -1, *grid)


def weighted_maps(maps: Tensor, gradients: Tensor) -> Tensor:
    """Grad-CAM (k, h, w) of feature maps (c, h, w) and the gradients (k, c, h, w) of k outputs: 0 or more."""
    return torch.einsum("kc,chw->khw", gradients.mean((2, 3)), maps).relu()
