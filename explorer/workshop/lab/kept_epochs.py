"""The epochs of a training: their weights and their curve, kept until validation has chosen one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from torch import nn

from models.training.network import network_kind
from models.training.saved_network import save_network
from models.whole_file import atomic_write

EpochCurve = list[tuple[float, float]]  # per epoch: mean AP on validation films, and seconds


def save_weights(network: nn.Module, target: Path) -> None:
    """Write a network, atomically."""
    with atomic_write(target) as partial:
        save_network(network, network_kind(network), partial)


def stored_curve(place: Path) -> EpochCurve:
    """Return the curve of the epochs that an interrupted stage has kept."""
    curve = place / "curve.json"
    found = json.loads(curve.read_text(encoding="utf-8")) if curve.exists() else []
    return [(worth, took) for worth, took in found]


def best_epoch(curve: EpochCurve) -> int:
    """Return the number, from 1 on, of the epoch with the highest mean AP."""
    return int(np.nanargmax([worth for worth, _ in curve])) + 1


def delete_epochs(folder: Path) -> None:
    """Delete the epochs and checkpoints of a finished training, each of which takes a tenth of a gigabyte."""
    for path in (*folder.glob("stage-*/epoch-*.safetensors"), *folder.glob("stage-*/kept.pt")):
        path.unlink()
