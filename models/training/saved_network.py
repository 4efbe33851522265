"""Saves the networks of the lab, and reads the timm network or the mask head in such a file."""

from __future__ import annotations

from pathlib import Path

from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

KIND_KEY = "network"  # in a file's metadata
TIMM_NETWORK, OWN_HEAD = "timm", "own head"  # a plain network of timm's, or a backbone with a head of models/training
SECOND_HEAD = "second head"  # a timm network as `body`, beside a mask head or a projection
MASKS_PREFIX = "masks."  # prefix of the mask head's tensors
BODY_PREFIX = "body."
EXTRA_PREFIXES = (MASKS_PREFIX, "projection.")


def save_network(network: nn.Module, kind: str, target: Path) -> None:
    """Write a network's tensors; `kind` is one of the three above."""
    save_file({name: tensor.contiguous() for name, tensor in network.state_dict().items()}, target, {KIND_KEY: kind})


def is_saved_network(path: Path) -> bool:
    """Return whether a safetensors file is a network of the lab."""
    return _kind(path) is not None


def classifier_state(path: Path) -> dict[str, Tensor]:
    """Return the timm network of a run's checkpoint without its mask head. Raises ValueError if it has another head."""
    if _kind(path) == OWN_HEAD:
        raise ValueError(f"{path.name} has its own head. Only networks with timm's linear layer can be shipped.")
    return backbone_state(path)


def backbone_state(path: Path) -> dict[str, Tensor]:
    """Return the tensors of a run's checkpoint that belong to timm's network, whatever its heads."""
    state = load_file(path)
    if _kind(path) in (None, TIMM_NETWORK):
        return state
    return {name.removeprefix(BODY_PREFIX): each for name, each in state.items() if name.startswith(BODY_PREFIX)}


def mask_state(path: Path) -> dict[str, Tensor]:
    """Return the mask head of a run's checkpoint, for `models.classifier.mask_head.MaskHead`; empty if it has none."""
    return {
        name.removeprefix(MASKS_PREFIX): tensor
        for name, tensor in load_file(path).items()
        if name.startswith(MASKS_PREFIX)
    }


def _kind(path: Path) -> str | None:
    """Return a file's kind of network: from its metadata or, if it was saved without, from the names of its tensors."""
    with safe_open(path, "pt") as file:
        names, stated = list(file.keys()), (file.metadata() or {}).get(KIND_KEY)
    if stated is not None:
        return str(stated)
    if any(name.startswith(EXTRA_PREFIXES) for name in names):
        return SECOND_HEAD
    # TResNet, too, has a body and a head, but its head is `head.fc`.
    own = any(name.startswith("head.") and not name.startswith("head.fc.") for name in names)
    return OWN_HEAD if own and any(name.startswith(BODY_PREFIX) for name in names) else None
