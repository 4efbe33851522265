"""The image tower of an image-text model: its own, or a classifier's with a projection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.cards.heat_method import HeatMethod
from models.cards.vlm_card import VlmCard
from models.classifier.classifier import Classifier, HeatMaps
from models.classifier.heat_maps import fused_maps
from models.classifier.letterbox import Letterbox
from models.classifier.normalizer import Normalizer
from models.radiograph import Radiograph
from models.vlm import pixels
from models.vlm.cut import cut_tower, margin_cam, margins


class ImageTower(Protocol):
    """What `models.vlm.model` needs from an image tower. `embed` and `heat` each pass a film through it once."""

    @property
    def width(self) -> int: ...
    def boxed(self, radiograph: Radiograph) -> Tensor: ...
    def embed(self, films: Sequence[Tensor]) -> Tensor: ...
    def heat(self, radiograph: Radiograph, direction: Tensor, method: HeatMethod) -> HeatMaps: ...


class OwnTower:
    """An image tower from open_clip."""

    def __init__(self, card: VlmCard, visual: nn.Module, width: int, device: str) -> None:
        self._card = card
        self.width = width
        self._visual = visual.to(memory_format=torch.channels_last).to(device)
        self._inputs = Normalizer(card, device)
        self._device = device
        self._bf16 = device == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)

    def boxed(self, radiograph: Radiograph) -> Tensor:
        """Return the film at the tower's input size (size, size), in [0, 1], on the CPU."""
        return pixels.box_film(radiograph, self._card)

    @torch.no_grad()
    def embed(self, films: Sequence[Tensor]) -> Tensor:
        """Return unit embeddings (n, d) of a batch of `boxed` films."""
        inputs = self._inputs(films)
        with torch.autocast(self._device, torch.bfloat16, enabled=self._bf16):
            embeddings = self._visual(inputs)
        return functional.normalize(embeddings.float(), dim=-1)

    def heat(self, radiograph: Radiograph, direction: Tensor, method: HeatMethod) -> HeatMaps:
        """Return the Grad-CAM (1, g, g) of the margin for a direction (d,) at the last feature map.

        Raises UnusableModel if the tower has no feature map, ValueError for another method.
        """
        if method != HeatMethod():
            raise ValueError(f"{self._card.name} supports only {HeatMethod()} heat maps, not {method}.")
        parts = cut_tower(self._visual)
        with torch.no_grad(), torch.autocast(self._device, torch.bfloat16, enabled=self._bf16):
            maps = parts.maps(self._inputs([self.boxed(radiograph)]))
        heat = margin_cam(maps.float(), parts.head, parts.spatial, direction.to(self._device))[1]
        return HeatMaps(heat[None].cpu().numpy(), Letterbox.of(radiograph.pixels, self._card.size))


class SharedTower:
    """A classifier's tower with its pooled features projected, so that one pass serves both models."""

    def __init__(self, classifier: Classifier, weight: Tensor, bias: Tensor | None) -> None:
        """`weight` (d, features) and `bias` (d,) belong to the projection."""
        self._classifier = classifier
        self._weight = weight.float().to(classifier.device)
        self._bias = None if bias is None else bias.float().to(classifier.device)
        self.width = len(weight)
        self.boxed = classifier.boxed

    @torch.no_grad()
    def embed(self, films: Sequence[Tensor]) -> Tensor:
        """Return unit embeddings (n, d) of a batch of `boxed` films."""
        return self.project(self._classifier.backbone.pooled(self._classifier.maps(films)))

    def project(self, features: Tensor) -> Tensor:
        """Return unit embeddings (n, d) of the classifier's pooled features (n, features)."""
        return functional.normalize(self._projected(features.to(self._weight.device)), dim=-1)

    def heat(self, radiograph: Radiograph, direction: Tensor, method: HeatMethod) -> HeatMaps:
        """Return the map (1, g, g) of the margin for a direction (d,). Raises ValueError for an unknown layer."""
        backbone, along = self._classifier.backbone, direction.to(self._weight.device)
        box = Letterbox.of(radiograph.pixels, method.size or self._classifier.card.size)
        seen = backbone.gradients(
            self._classifier.inputs([radiograph], box.size),
            lambda maps: margins(self._projected(backbone.pooled(maps)), along),
            method.layers,
        )
        return HeatMaps(fused_maps(method.cam, seen).cpu().numpy(), box)

    def _projected(self, features: Tensor) -> Tensor:
        return functional.linear(features, self._weight, self._bias)
