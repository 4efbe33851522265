"""The sentence for an image-text model whose files are not here: what, how large, from where, and how to bring them."""

from __future__ import annotations

from models.cards.card import UnusableModel
from models.cards.vlm_card import VlmCard


def not_here(card: VlmCard, cause: str) -> UnusableModel:
    """The refusal of a model that has to be fetched and cannot be; `cause` is a short clause."""
    size = f", about {card.download.megabytes:,} MB" if card.download else ""
    return UnusableModel(
        f"{card.name} is not on this machine and could not be downloaded",
        f"It comes from {_address(card)}{size}, licence: {card.licence}. {cause}. {_remedy(card)}",
    )


def _address(card: VlmCard) -> str:
    if card.download:
        return card.download.address
    kind, _, rest = card.source.partition(":")
    return f"https://huggingface.co/{rest}" if kind == "hf-hub" else f"open_clip's pretrained weights {rest}"


def _remedy(card: VlmCard) -> str:
    if card.weights:
        return (
            f"Fetch the file there, copy models/registry/{card.name}.toml, write the file's path into its `weights` "
            f"and start with --vlm PATH/{card.name}.toml."
        )
    kind, _, rest = card.source.partition(":")
    if kind == "open_clip":
        return (
            "On a machine with a network load it once with open_clip, copy that machine's Hugging Face cache "
            "(~/.cache/huggingface) here and start again."
        )
    command = card.download.command if card.download else f"hf download {rest} --local-dir {card.name}"
    return (
        f"On a machine with a network run `{command}`, copy the folder here and start with "
        f"--vlm local-dir:{card.name}. With a network here, start with the same name again."
    )
