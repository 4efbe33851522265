"""Splits open_clip's image towers at their last feature map, as `models.classifier.backbone` splits classifiers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, cast

import torch
from torch import Tensor, nn

from models.cards.card import UnusableModel
from models.classifier.backbone import Backbone, patch_maps, weighted_maps


class CutTower(Protocol):
    """A tower in two parts: `head(maps(inputs))` is its embedding (n, d) before normalization to unit length."""

    def maps(self, inputs: Tensor) -> Tensor: ...
    def head(self, maps: Tensor) -> Tensor: ...
    def spatial(self, maps: Tensor) -> Tensor: ...


class TimmCut:
    """A timm trunk below open_clip's projection: convolutional network, Swin or vision transformer."""

    def __init__(self, visual: nn.Module) -> None:
        self._visual = cast(Any, visual)
        self._backbone = Backbone(self._visual.trunk)
        self.maps = self._backbone.maps
        self.spatial = self._backbone.spatial

    def head(self, maps: Tensor) -> Tensor:
        """Return embeddings (n, d) of feature maps."""
        embeddings: Tensor = self._visual.head(self._backbone.head(maps))
        return embeddings


class ResNetCut:
    """CLIP's own ResNet, split before its attention pooling."""

    def __init__(self, visual: nn.Module) -> None:
        self._visual = cast(Any, visual)

    def maps(self, inputs: Tensor) -> Tensor:
        """Return feature maps (n, c, h, w)."""
        maps: Tensor = self._visual.stem(inputs)
        for layer in (self._visual.layer1, self._visual.layer2, self._visual.layer3, self._visual.layer4):
            maps = layer(maps)
        return maps

    def head(self, maps: Tensor) -> Tensor:
        """Return embeddings (n, d) of feature maps."""
        embeddings: Tensor = self._visual.attnpool(maps)
        return embeddings

    def spatial(self, maps: Tensor) -> Tensor:
        """Return the maps unchanged."""
        return maps


class TransformerCut:
    """CLIP's own vision transformer, split before its last block, because only the class token is read after it."""

    def __init__(self, visual: nn.Module) -> None:
        self._visual = cast(Any, visual)

    def maps(self, inputs: Tensor) -> Tensor:
        """Return tokens (n, 1 + patches, c)."""
        tokens: Tensor = self._visual._embeds(inputs)
        for block in self._visual.transformer.resblocks[:-1]:
            tokens = block(tokens)
        return tokens

    def head(self, maps: Tensor) -> Tensor:
        """Return embeddings (n, d) of tokens."""
        pooled, _ = self._visual._pool(self._visual.transformer.resblocks[-1](maps))
        embeddings: Tensor = pooled if self._visual.proj is None else pooled @ self._visual.proj
        return embeddings

    def spatial(self, maps: Tensor) -> Tensor:
        """Return the patches as (n, c, h, w)."""
        return patch_maps(maps, 1, self._visual.grid_size)


def cut_tower(visual: nn.Module) -> CutTower:
    """Return the split that fits an image tower of open_clip. Raises UnusableModel if there is none."""
    from open_clip.modified_resnet import ModifiedResNet
    from open_clip.timm_model import TimmModel
    from open_clip.transformer import VisionTransformer

    for kind, made in ((TimmModel, TimmCut), (ModifiedResNet, ResNetCut), (VisionTransformer, TransformerCut)):
        if isinstance(visual, kind):
            fitting: CutTower = made(visual)
            return fitting
    raise UnusableModel(
        f"No heat map can be made for {type(visual).__name__}",
        "It is neither a timm model nor CLIP's own ResNet or vision transformer. Scores are not affected.",
    )


def margin_cam(
    maps: Tensor, head: Callable[[Tensor], Tensor], spatial: Callable[[Tensor], Tensor], direction: Tensor
) -> tuple[Tensor, Tensor]:
    """Return margin () and Grad-CAM (h, w), in its units, of one film's feature maps (1, ...) for a direction (d,)."""
    leaf = maps.detach().requires_grad_()
    with torch.enable_grad():
        towards = margins(head(leaf), direction)[0]
        (gradient,) = torch.autograd.grad(towards, leaf)
    return towards.detach(), weighted_maps(spatial(maps)[0], spatial(gradient))[0]


def margins(embeddings: Tensor, direction: Tensor) -> Tensor:
    """Return differentiable margins (n,) of embeddings (n, d), not yet of unit length, for a direction (d,).

    The embedding's length is treated as constant: then, for a tower that pools and projects, Grad-CAM before clipping
    sums to the margin minus the projection's bias. If the length were differentiated too, it would sum to 0 for every
    film.
    """
    margins: Tensor = embeddings @ direction / embeddings.detach().norm(dim=1)
    return margins
