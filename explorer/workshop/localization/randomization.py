"""Tests whether a map depends on what the model learned, by randomizing its layers from the last to the first.

The cascading randomization of Adebayo et al. (Sanity Checks for Saliency Maps, NeurIPS 2018, section 4.1): a map that
does not change when the model loses its knowledge does not show that knowledge.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
import torch
from torch import nn

from explorer.metrics.localization import map_correlations
from explorer.workshop.localization.films import COMPARISON_SIDE
from models.cards.heat_method import HeatMethod
from models.classifier.classifier import Classifier
from models.radiograph import Radiograph


@dataclass(frozen=True, slots=True)
class RandomizedLayer:
    """The median correlation of maps before and after randomizing all layers from the last to `layer`."""

    layer: str
    correlation: float
    maps: int


@runtime_checkable
class _Resettable(Protocol):
    def reset_parameters(self) -> None: ...


def randomize_layers(
    model: Classifier, radiographs: Sequence[tuple[Radiograph, Sequence[str]]], method: HeatMethod, seed: int = 0
) -> list[RandomizedLayer]:
    """Compare maps for films and findings; return one line per layer, starting with the network's last."""
    before = [model.heat(film, findings, method).on_film(COMPARISON_SIDE) for film, findings in radiographs]
    randomized_model = copy.copy(model)
    randomized_model.backbone = copy.deepcopy(model.backbone)
    lines = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for name, layer in _layers(randomized_model.backbone.network):
            for module in layer.modules():
                if isinstance(module, _Resettable):
                    module.reset_parameters()
            found: list[float] = []
            for (film, findings), maps in zip(radiographs, before, strict=True):
                after = randomized_model.heat(film, findings, method).on_film(COMPARISON_SIDE)
                found += [float(map_correlations(np.stack(pair))[0]) for pair in zip(maps, after, strict=True)]
            defined = np.array(found)[~np.isnan(found)]
            lines.append(
                RandomizedLayer(name, float(np.median(defined)) if defined.size else float("nan"), defined.size)
            )
    return lines


def _layers(network: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Yield the network's layers that have parameters, last first; the stages of a sequence are separate layers."""
    for name, child in reversed(list(network.named_children())):
        if not any(True for _ in child.parameters()):
            continue
        if isinstance(child, nn.Sequential) and len(child) > 1:
            for inner, stage in reversed(list(child.named_children())):
                yield f"{name}.{inner}", stage
        else:
            yield name, child
