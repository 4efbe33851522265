"""A timm network split at its last feature map into a costly part and a head, for Grad-CAM in between."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import torch
from timm.models.vision_transformer import VisionTransformer
from torch import Tensor, nn

from models.cards.card import UnusableModel
from models.classifier.answer import OutputsToLogits

# The stages that the current call observes, and a list for their outputs; None in other threads and calls.
_TAPPED: ContextVar[tuple[list[nn.Module], list[Tensor]] | None] = ContextVar("tapped", default=None)


class Backbone:
    """Splits a timm model in two without copying it.

    Convolutional networks and Swin are split after `forward_features`. In a plain vision transformer that pools its
    class token, the patches have no gradient at that point, so it is split before its last block. `stages` are the
    modules after which `gradients` can observe the network, by timm's names.
    """

    def __init__(self, model: nn.Module, *, stages: bool = False, answer: OutputsToLogits | None = None) -> None:
        """`stages` adds a hook to each stage, active only in `gradients`; add them once per model.

        `answer` converts the last layer's outputs to logits.
        """
        self.answer = answer or OutputsToLogits()
        self.network = cast(Any, model)  # timm's interface is a convention, not a type
        self._transformer = isinstance(model, VisionTransformer)
        self._channel = 3 if getattr(model, "output_fmt", "NCHW") == "NHWC" else 1
        named = getattr(model, "feature_info", ()) if stages else ()
        self.stages: tuple[str, ...] = tuple(str(stage["module"]) for stage in named)
        for name in self.stages:
            model.get_submodule(name).register_forward_hook(_tap)

    @property
    def width(self) -> int:
        """The number of features that the last linear layer reads."""
        return int(self.network.head_hidden_size)

    def maps(self, inputs: Tensor) -> Tensor:
        """Return the last feature maps: (n, c, h, w); Swin (n, h, w, c); vision transformer (n, tokens, c)."""
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
        """Return logits (n, findings) of feature maps."""
        return self.answer(self.network.forward_head(self._finish(maps)))

    def pooled(self, maps: Tensor) -> Tensor:
        """Return the features (n, width) that the last linear layer reads."""
        features: Tensor = self.network.forward_head(self._finish(maps), pre_logits=True)
        return features.flatten(1)

    def grad_cam(self, maps: Tensor, findings: int) -> tuple[Tensor, Tensor]:
        """Return logits (findings,) and Grad-CAM (findings, h, w) of one film's feature maps (1, ...).

        The maps are repeated once per finding; output k of copy k is differentiated, all in one backward pass.
        """
        copies = maps.detach().repeat(findings, *[1] * (maps.ndim - 1)).requires_grad_()
        with torch.enable_grad():
            logits = self.head(copies).diagonal()
            (gradient,) = torch.autograd.grad(logits.sum(), copies)
        return logits.detach(), weighted_maps(self.spatial(maps)[0], self.spatial(gradient))

    def gradients(
        self, inputs: Tensor, outputs: Callable[[Tensor], Tensor], layers: Sequence[str] = ()
    ) -> list[tuple[Tensor, Tensor]]:
        """Return, per stage, one film's activations (c, h, w) and the gradients (k, c, h, w) of k outputs there.

        `outputs` computes the outputs (k,) from the last feature maps of `inputs` (1, ...); without layers, these maps
        are the only stage. The network runs once, and nothing is differentiated below the lowest stage. Raises
        ValueError for an unknown stage.
        """
        with torch.enable_grad(), self._observe(layers) as observed:
            maps = self.maps(inputs)
            if not layers:
                maps = maps.detach().requires_grad_()
                observed.append(maps)
            each = [torch.autograd.grad(output, observed, retain_graph=True) for output in outputs(maps)]
        by_stage = [torch.cat(column) for column in zip(*each, strict=True)]
        return [
            (self.spatial(at.detach())[0], self.spatial(gradient))
            for at, gradient in zip(observed, by_stage, strict=True)
        ]

    @contextmanager
    def _observe(self, layers: Sequence[str]) -> Iterator[list[Tensor]]:
        """Collect the outputs of these stages in a list; the lowest becomes a leaf of the graph."""
        for layer in layers:
            if layer not in self.stages:
                raise ValueError(
                    f"{type(self.network).__name__} has no stage {layer!r}; it has {', '.join(self.stages)}."
                )
        observed: list[Tensor] = []
        token = _TAPPED.set(([self.network.get_submodule(layer) for layer in layers], observed) if layers else None)
        try:
            yield observed
        finally:
            _TAPPED.reset(token)

    def _finish(self, maps: Tensor) -> Tensor:
        if not self._transformer:
            return maps
        tokens: Tensor = self.network.norm(self.network.blocks[-1](maps))
        return tokens

    def spatial(self, maps: Tensor) -> Tensor:
        """Convert maps of any layout to (n, c, h, w)."""
        if not self._transformer:
            return maps if self._channel == 1 else maps.permute(0, 3, 1, 2)
        return patch_maps(maps, self.network.num_prefix_tokens, self.network.patch_embed.grid_size)


def _tap(stage: nn.Module, inputs: object, output: Tensor) -> Tensor | None:
    stages, observed = _TAPPED.get() or ([], [])
    if not any(stage is each for each in stages):
        return None
    observed.append(output if observed else output.detach().requires_grad_())
    return observed[-1]


def patch_maps(tokens: Tensor, prefix: int, grid: tuple[int, int]) -> Tensor:
    """Return a vision transformer's tokens (n, prefix + patches, c) as (n, c, h, w), without the prefix tokens."""
    return tokens[:, prefix:].transpose(1, 2).reshape(len(tokens), -1, *grid)


def weighted_maps(maps: Tensor, gradients: Tensor) -> Tensor:
    """Return Grad-CAM (k, h, w), 0 or more, of feature maps (c, h, w) and gradients (k, c, h, w) of k outputs."""
    return torch.einsum("kc,chw->khw", gradients.mean((2, 3)), maps).relu()
