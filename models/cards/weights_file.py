"""Loads and verifies the weights that a card names, without running any code in a file."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor

from models.cards.card import Card, UnusableModel
from models.cards.download import ByteProgress, weights_path
from models.cards.foreign_weights import foreign_weights
from models.cards.network_pickle import MAX_TENSOR_NAME_CHARS, MAX_TENSORS
from models.cards.plain_file import weights_content
from models.cards.state_names import networks_in, unwrap_names
from models.cards.torch_file import TORCH_SUFFIXES, Weights, read_torch_weights


def load_weights(card: Card, progress: ByteProgress = lambda done, of: None) -> tuple[Card, dict[str, Tensor]]:
    """Return the card, completed with the hash of its weights, and the weights under timm's names.

    Raises UnusableModel if they are missing, altered or damaged.
    """
    path = _hub_file(card) if card.weights.startswith("hf-hub:") else weights_path(card, progress)
    content = weights_content(path)  # read once, so that the hashed bytes are the bytes used
    found = hashlib.sha256(content).hexdigest()
    if card.sha256:
        check_hash(card.name, path, found, card.sha256)
    return replace(card, sha256=found), read_weights(path.name, content, card.state).tensors


def weight_tensors(card: Card) -> dict[str, Tensor]:
    """Return a model's weights by name. Raises UnusableModel if they are missing, altered or damaged."""
    return load_weights(card)[1]


def read_weights(name: str, content: bytes, wanted: str = "") -> Weights:
    """Return the tensors of a safetensors or torch.save file under their network's names.

    `wanted` selects one of several sets of weights; by default an average over training (EMA) takes precedence.
    Raises UnusableModel.
    """
    if foreign := foreign_weights(name, content):
        raise foreign
    if name.lower().endswith(TORCH_SUFFIXES):
        found = read_torch_weights(name, content, wanted)
    else:
        found = Weights(_read_safetensors(name, content))
    if len(found.tensors) > MAX_TENSORS or any(len(each) > MAX_TENSOR_NAME_CHARS for each in found.tensors):
        raise UnusableModel(
            f"{name} is not a readable weights file",
            f"It names {len(found.tensors):,} tensors, too many for a network. Give the weights of a single network.",
        )
    one, *others = networks_in(found.tensors, wanted)
    if others:
        found = replace(found, tensors=one.tensors, taken=one.name, beside=tuple(each.name for each in others))
    if wanted and wanted != found.taken:
        raise UnusableModel(f"{name} does not contain several sets of weights, one named {wanted!r}", "Omit `state`.")
    return replace(found, tensors=unwrap_names(found.tensors))


def _read_safetensors(name: str, content: bytes) -> dict[str, Tensor]:
    try:
        state: dict[str, Tensor] = load(content)
    except SafetensorError as error:
        raise UnusableModel(
            f"{name} is not a safetensors file",
            f"{error}. Restore it, or, if torch.save wrote it, use one of the endings {', '.join(TORCH_SUFFIXES)}.",
        ) from error
    return state


def check_hash(model: str, path: Path, found: str, wanted: str) -> None:
    """Raise UnusableModel if a file's sha256 differs from the card's."""
    if found != wanted:
        raise UnusableModel(
            f"The weights of {model} are not the ones its card names",
            f"{path.name} has sha256 {found[:12]}..., but the card says {wanted[:12]}.... "
            "Restore the file, or, if the change is yours, write the new hash into the card.",
        )


def _hub_file(card: Card) -> Path:
    """Return the file of `hf-hub:owner/repository[/file.safetensors]`, from the local cache or the hub."""
    from models.cards.hub import hub_file

    owner, _, rest = card.weights.removeprefix("hf-hub:").partition("/")
    repository, _, name = rest.partition("/")
    return hub_file(f"{owner}/{repository}", name or "model.safetensors", f"The weights of {card.name}")
