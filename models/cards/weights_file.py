"""From what a card says of its weights to a verified file and its tensors. Nothing of a file is run."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor

from models.cards.card import Card, UnusableModel
from models.cards.download import OnBytes, weights_path
from models.cards.foreign_weights import foreign_weights
from models.cards.network_pickle import LONGEST_NAME, MOST_TENSORS
from models.cards.plain_file import weights_content
from models.cards.state_names import networks_in, unwrapped
from models.cards.torch_file import SUFFIXES, Weights, torch_weights


def loaded(card: Card, progress: OnBytes = lambda done, of: None) -> tuple[Card, dict[str, Tensor]]:
    """The card, with the hash of its weights where it had none, and the weights by the names that timm has for them.

    Raises UnusableModel where they are missing, altered or damaged.
    """
    path = _hub_file(card) if card.weights.startswith("hf-hub:") else weights_path(card, progress)
    content = weights_content(path)  # read once: what is hashed is what is used
    found = hashlib.sha256(content).hexdigest()
    if card.sha256:
        check_hash(card.name, path, found, card.sha256)
    return replace(card, sha256=found), read_weights(path.name, content, card.state).tensors


def tensors(card: Card) -> dict[str, Tensor]:
    """The weights of a model by name. Raises UnusableModel where they are missing, altered or damaged."""
    return loaded(card)[1]


def read_weights(name: str, content: bytes, wanted: str = "") -> Weights:
    """The tensors of a file of this name and content, safetensors or what torch.save wrote, by their network's names.

    `wanted` names one of several sets of weights in it; else an average over training (EMA) goes before the others.
    Raises UnusableModel.
    """
    if foreign := foreign_weights(name, content):
        raise foreign
    if name.lower().endswith(SUFFIXES):
        found = torch_weights(name, content, wanted)
    else:
        found = Weights(_of_safetensors(name, content))
    if len(found.tensors) > MOST_TENSORS or any(len(each) > LONGEST_NAME for each in found.tensors):
        raise UnusableModel(
            f"{name} is no weights file that can be read here",
            f"It names {len(found.tensors):,} tensors, more than a network has. Give the weights of one network.",
        )
    one, *others = networks_in(found.tensors, wanted)
    if others:
        found = replace(found, tensors=one.tensors, taken=one.name, beside=tuple(each.name for each in others))
    if wanted and wanted != found.taken:
        raise UnusableModel(f"{name} has no set of weights {wanted!r} beside another one", "Leave `state` out.")
    return replace(found, tensors=unwrapped(found.tensors))


def _of_safetensors(name: str, content: bytes) -> dict[str, Tensor]:
    try:
        state: dict[str, Tensor] = load(content)
    except SafetensorError as error:
        raise UnusableModel(
            f"{name} is not a safetensors file",
            f"{error}. Restore it, or give it one of the endings {', '.join(SUFFIXES)} if torch.save wrote it.",
        ) from error
    return state


def check_hash(model: str, path: Path, found: str, wanted: str) -> None:
    """Raise UnusableModel where a file's sha256 is not the one a card names."""
    if found != wanted:
        raise UnusableModel(
            f"The weights of {model} are not the ones its card names",
            f"{path.name} has sha256 {found[:12]}..., the card says {wanted[:12]}.... "
            "Restore the file, or write the new hash into the card if the change is yours.",
        )


def _hub_file(card: Card) -> Path:
    """`hf-hub:owner/repository` or `hf-hub:owner/repository/file.safetensors`, from the local cache or the hub."""
    from models.cards.hub import hub_file

    owner, _, rest = card.weights.removeprefix("hf-hub:").partition("/")
    repository, _, name = rest.partition("/")
    return hub_file(f"{owner}/{repository}", name or "model.safetensors", f"The weights of {card.name}")
