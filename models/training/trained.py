"""Loads the network in a run's checkpoint."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import timm
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import Tensor

from models.classifier.backbone import Backbone
from models.training.network import normalize
from models.training.recipe import TrainingRecipe

MASKS_PREFIX = "masks."  # prefix of the mask head's tensors
EXTRA_PREFIXES = (MASKS_PREFIX, "projection.")


def classifier_state(path: Path) -> dict[str, Tensor]:
    """Return the timm network of a run's checkpoint without its mask head. Raises ValueError if it has another head."""
    state = load_file(path)
    if any(name.startswith("head.") for name in state):
        raise ValueError(f"{path.name} has its own head. Only networks with timm's linear layer can be shipped.")
    return {name.removeprefix("body."): tensor for name, tensor in state.items() if not name.startswith(EXTRA_PREFIXES)}


def mask_state(path: Path) -> dict[str, Tensor]:
    """Return the mask head of a run's checkpoint, for `models.classifier.mask_head.MaskHead`; empty if it has none."""
    return {
        name.removeprefix(MASKS_PREFIX): tensor
        for name, tensor in load_file(path).items()
        if name.startswith(MASKS_PREFIX)
    }


def load_trained(path: Path, recipe: TrainingRecipe) -> Backbone:
    """Return the network of a run's checkpoint, with its trained outputs for findings and traits."""
    state = classifier_state(path)
    model = timm.create_model(recipe.architecture, in_chans=1, num_classes=len(state["classifier.bias"]))
    model.load_state_dict(state)
    return Backbone(model.eval().requires_grad_(False).to(memory_format=torch.channels_last))


@torch.inference_mode()
def pooled_features(network: Backbone, pixels: NDArray[np.uint8], batch: int = 32) -> NDArray[np.float32]:
    """Return pooled features (n, d) of letterboxed films (n, size, size)."""
    parts = []
    for start in range(0, len(pixels), batch):
        films = torch.from_numpy(pixels[start : start + batch]).float().div(255)[:, None]
        inputs = normalize(films).contiguous(memory_format=torch.channels_last)
        parts.append(network.pooled(network.maps(inputs)))
    return torch.cat(parts).numpy()
