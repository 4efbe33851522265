"""The refusal of an image-text model that is not on this machine: size, source, and how to get it."""

from __future__ import annotations

from models.cards.card import UnusableModel
from models.cards.vlm_card import VlmCard


def vlm_download_refusal(card: VlmCard, cause: str) -> UnusableModel:
    """Return the refusal of a model that cannot be downloaded; `cause` is a short clause."""
    size = f", about {card.download.megabytes:,} MB" if card.download else ""
    return UnusableModel(
        f"{card.name} is not on this machine and could not be downloaded",
        f"It comes from {_address(card)}{size}, license: {card.licence}. {cause}. {_remedy(card)}",
    )


def _address(card: VlmCard) -> str:
    if card.download:
        return card.download.address
    kind, _, rest = card.source.partition(":")
    return f"https://huggingface.co/{rest}" if kind == "hf-hub" else f"open_clip's pretrained weights {rest}"


def _remedy(card: VlmCard) -> str:
    if card.weights:
        return (
            f"Download the file there, copy models/registry/{card.name}.toml, write the file's path into its `weights` "
            f"and start with --vlm PATH/{card.name}.toml."
        )
    kind, _, rest = card.source.partition(":")
    if kind == "open_clip":
        return (
            "On a machine with network access load it once with open_clip, copy that machine's Hugging Face cache "
            "(~/.cache/huggingface) here and start again."
        )
    command = card.download.command if card.download else f"hf download {rest} --local-dir {card.name}"
    return (
        f"On a machine with network access run `{command}`, copy the folder here and start with "
        f"--vlm local-dir:{card.name}. If this machine has network access, start with the same name again."
    )
