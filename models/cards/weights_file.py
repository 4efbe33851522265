"""From what a card says of its weights to a verified file and its tensors. Safetensors only: nothing is unpickled."""

from __future__ import annotations

import hashlib
from pathlib import Path

from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor

from models.cards.card import Card, UnusableModel


def tensors(card: Card) -> dict[str, Tensor]:
    """The weights of a model by name, as stored. Raises UnusableModel where they are missing, altered or damaged."""
    path = _hub_file(card) if card.weights.startswith("hf-hub:") else card.local_file(card.weights)
    content = path.read_bytes()  # read once: what is hashed is what is used
    check_hash(card.name, path, hashlib.sha256(content).hexdigest(), card.sha256)
    try:
        return load(content)
    except SafetensorError as error:
        raise UnusableModel(
            f"{path.name} is not a safetensors file", f"{error}. Convert the weights with safetensors.torch.save_file."
        ) from error


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
    from huggingface_hub import hf_hub_download  # slow to import, and few models need it
    from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError

    owner, _, rest = card.weights.removeprefix("hf-hub:").partition("/")
    repository, _, name = rest.partition("/")
    try:
        return Path(hf_hub_download(f"{owner}/{repository}", name or "model.safetensors"))
    except (LocalEntryNotFoundError, HfHubHTTPError, OSError, ValueError) as error:
        raise UnusableModel(
            f"The weights of {card.name} could not be downloaded",
            f"{card.weights} is not in the local cache and cannot be reached ({type(error).__name__}). "
            "Download the file on a machine with a network and name its path as `weights` in a card of your own.",
        ) from error
