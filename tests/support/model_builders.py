"""Small real models written to disk the way a user would: safetensors and a registry TOML."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

import numpy as np
import timm
import torch
from safetensors.torch import save
from torch import nn

from models.radiograph import Radiograph

FINDINGS = ("Mass", "Nodule", "Normal", "Pleural Effusion")


def random_film(height: int, width: int, seed: int = 0) -> Radiograph:
    """A film of smooth noise."""
    coarse = np.random.default_rng(seed).random((height // 8 + 1, width // 8 + 1), dtype=np.float32)
    return Radiograph.from_pixels(np.kron(coarse, np.ones((8, 8), dtype=np.float32))[:height, :width])


def timm_model(architecture: str, size: int, in_chans: int) -> nn.Module:
    """timm's own model with random weights and one output per finding."""
    options = {"img_size": size} if timm.get_pretrained_cfg(architecture).fixed_input_size else {}
    return timm.create_model(architecture, in_chans=in_chans, num_classes=len(FINDINGS), **options)


@functools.lru_cache(4)
def random_weights(architecture: str, size: int, in_chans: int, seed: int, outputs: int) -> bytes:
    """A file of weights that `timm_model` begins with; it has as many `outputs` as there are FINDINGS."""
    torch.manual_seed(seed)
    model = timm_model(architecture, size, in_chans)
    return save({name: tensor.contiguous() for name, tensor in model.state_dict().items()})


def write_model(
    folder: Path, architecture: str, /, *, size: int = 64, in_chans: int = 1, seed: int = 0, **changes: object
) -> Path:
    """Write random weights of a timm architecture and a card for them; the card's path. `changes` replace card keys."""
    weights = folder / "weights.safetensors"
    weights.write_bytes(random_weights(architecture, size, in_chans, seed, len(FINDINGS)))
    torch.manual_seed(seed)  # whether they were drawn now or before
    values: dict[str, object] = {
        "kind": "classifier",
        "name": "own",
        "title": "A model for tests",
        "architecture": architecture,
        "in_chans": in_chans,
        "size": size,
        "resize": "letterbox",
        "mean": [0.5] * in_chans,
        "std": [0.25] * in_chans,
        "weights": weights.name,
        "sha256": hashlib.sha256(weights.read_bytes()).hexdigest(),
        "findings": list(FINDINGS),
        "views": ["PA"],
        "licence": "Apache-2.0",
        "citation": "none",
        "training": [],
    } | changes
    return write_card(folder / "own.toml", values)


def write_card(path: Path, values: dict[str, object]) -> Path:
    """A card of those values that are not None."""
    path.write_text("".join(f"{key} = {_toml(value)}\n" for key, value in values.items() if value is not None))
    return path


def _toml(value: object) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {_toml(item)}' for key, item in value.items()) + "}"
    return str(value)
