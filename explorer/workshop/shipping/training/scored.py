"""Passes films through a shipped classifier."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from explorer.workshop.lab.phantom_shard import MAX_PIXEL
from models.array_types import Float32
from models.training.network import normalize
from models.training.recipe import TrainingRecipe
from models.training.trained import load_trained


@dataclass(frozen=True, slots=True, eq=False)
class NetworkOutput:
    """Logits (n, findings) and pooled features (n, d)."""

    logits: Float32
    features: Float32


@torch.inference_mode()
def run_network(weights: Path, films: NDArray[np.uint16], recipe: TrainingRecipe, batch: int = 32) -> NetworkOutput:
    """Return the network's output for films (n, size, size) with values up to TOP."""
    network = load_trained(weights, recipe)
    logits, features = [], []
    for start in range(0, len(films), batch):
        boxed = torch.from_numpy(films[start : start + batch].astype(np.float32) / MAX_PIXEL)[:, None]
        maps = network.maps(normalize(boxed).contiguous(memory_format=torch.channels_last))
        logits.append(network.head(maps))
        features.append(network.pooled(maps))
    return NetworkOutput(torch.cat(logits).numpy(), torch.cat(features).numpy())
