"""Loads the network in a run's checkpoint."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from models.classifier.backbone import Backbone
from models.training.backbone import build_backbone, classifier_prefixes
from models.training.network import normalize
from models.training.recipe import TrainingRecipe
from models.training.saved_network import classifier_state


def load_trained(path: Path, recipe: TrainingRecipe) -> Backbone:
    """Return the network of a run's checkpoint, with its trained outputs for findings and traits."""
    state = classifier_state(path)
    with torch.device("meta"):
        (name, *_) = classifier_prefixes(build_backbone(recipe.architecture, recipe.size, 1))
    model = build_backbone(recipe.architecture, recipe.size, len(state[f"{name}bias"]))
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
