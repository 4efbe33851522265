"""Does a map depend on what the model learned: layers lose it one after the other, from the last to the first.

The cascading randomization of Adebayo et al. (Sanity Checks for Saliency Maps, NeurIPS 2018, section 4.1): a map that
stays the same when the model knows nothing does not show what the model knows.
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
from explorer.workshop.localization.films import LONGEST
from models.cards.heat_method import HeatMethod
from models.classifier.classifier import Classifier
from models.radiograph import Radiograph


@dataclass(frozen=True, slots=True)
class Randomized:
    """The median correlation of maps before and after all layers down to `layer` lost what they had learned."""

    layer: str
    correlation: float
    maps: int


@runtime_checkable
class _Resettable(Protocol):
    def reset_parameters(self) -> None: ...


def randomized(
    model: Classifier, radiographs: Sequence[tuple[Radiograph, Sequence[str]]], method: HeatMethod, seed: int = 0
) -> list[Randomized]:
    """Films and of each the findings whose maps are compared; a line for each layer, the last of the network first."""
    before = [model.heat(film, findings, method).on_film(LONGEST) for film, findings in radiographs]
    forgetful = copy.copy(model)
    forgetful.backbone = copy.deepcopy(model.backbone)
    lines = []
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        for name, layer in _layers(forgetful.backbone.network):
            for module in layer.modules():
                if isinstance(module, _Resettable):
                    module.reset_parameters()
            found: list[float] = []
            for (film, findings), maps in zip(radiographs, before, strict=True):
                after = forgetful.heat(film, findings, method).on_film(LONGEST)
                found += [float(map_correlations(np.stack(pair))[0]) for pair in zip(maps, after, strict=True)]
            defined = np.array(found)[~np.isnan(found)]
            lines.append(Randomized(name, float(np.median(defined)) if defined.size else float("nan"), defined.size))
    return lines


def _layers(network: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """The network's parts that learned something, the last first; stages of a sequence one by one."""
    for name, child in reversed(list(network.named_children())):
        if not any(True for _ in child.parameters()):
            continue
        if isinstance(child, nn.Sequential) and len(child) > 1:
            for inner, stage in reversed(list(child.named_children())):
                yield f"{name}.{inner}", stage
        else:
            yield name, child
