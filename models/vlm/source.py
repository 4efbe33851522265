"""Loads models and tokenizers through open_clip, or refuses with a reason.

Weights are read by `models.vlm.checkpoint`: no code is unpickled, and no file can exhaust memory. Text towers of
transformers take their shape from a `config.json` next to the weights, so that a folder needs no network access.
open_clip and transformers are imported on first use, because that takes about 9 s.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from torch import Tensor, nn

from models.cards.card import UnusableModel, local_path
from models.cards.vlm_card import VlmCard
from models.unfilled import skip_random_init
from models.vlm.checkpoint import install_checkpoint_reader
from models.vlm.download import vlm_download_refusal

Tokenizer = Callable[[Sequence[str]], Tensor]  # from texts to token numbers (t, context length)
OPEN_CLIP_CONFIG = "open_clip_config.json"
WEIGHTS_SUFFIXES = (".safetensors", ".pt", ".pth", ".bin")

# Errors that open_clip, torch, transformers and huggingface_hub raise for unsuitable files.
_UNFIT = (RuntimeError, ValueError, KeyError, TypeError, AttributeError, AssertionError, pickle.UnpicklingError)
_FAILURES = (*_UNFIT, OSError, SafetensorError)


@dataclass(frozen=True, slots=True)
class OpenClipFiles:
    """The location of one model's files, in open_clip's terms."""

    card: VlmCard
    model: str  # open_clip's name of the model, with its schema
    pretrained: str | None  # tag or file, if `model` is an architecture
    folder: Path | None  # the folder of a local-dir source

    @classmethod
    def of(cls, card: VlmCard) -> OpenClipFiles:
        """Return the files that a card's source names. Raises UnusableModel if a local source is missing."""
        kind, _, rest = card.source.partition(":")
        if kind == "local-dir":
            folder = local_path(card.name, card.folder, str(Path(rest).expanduser()))
            if not (folder / OPEN_CLIP_CONFIG).is_file():
                raise UnusableModel(
                    f"{folder.name} is not a folder of an open_clip model",
                    f"It has no {OPEN_CLIP_CONFIG}. Name the folder that contains it and the weights.",
                )
            return cls(card, f"local-dir:{folder}", None, folder)
        if kind == "hf-hub":
            return cls(card, card.source, None, None)
        architecture, _, tag = rest.partition("/")
        return cls(card, architecture, tag or _weights(card), None)

    @property
    def width(self) -> int:
        """The length of an embedding; available once the model is loaded."""
        import open_clip

        return int(open_clip.get_model_config(self.model)["embed_dim"])

    def load(self) -> nn.Module:
        """Return the whole model with its weights, in float32 on the CPU. Raises UnusableModel."""
        import open_clip

        self.card.check_folder()
        self._fetch()
        install_checkpoint_reader()
        try:
            with skip_random_init():
                model: nn.Module = open_clip.create_model(
                    self.model, self.pretrained, require_pretrained=True, weights_only=True, **self._options()
                )
        except _FAILURES as error:
            raise self._unfit(error) from error
        return model.eval().requires_grad_(False)

    def tokenizer(self) -> Tokenizer:
        """Return the model's tokenizer. Raises UnusableModel."""
        import open_clip

        self.card.check_folder()
        try:
            tokenizer_name = open_clip.get_model_config(self.model)["text_cfg"].get("hf_tokenizer_name")
            # A folder's configuration may request that its code be run; this overrules it.
            options = {"trust_remote_code": False} if tokenizer_name else {}
            tokenizer: Tokenizer = open_clip.get_tokenizer(self.model, **options)
        except _FAILURES as error:
            raise self._unfit(error) from error
        return tokenizer

    def _options(self) -> dict[str, Any]:
        """Return overrides for a folder's configuration: where to read the shape of its text tower."""
        if self.folder is None:
            return {}
        try:
            text = json.loads((self.folder / OPEN_CLIP_CONFIG).read_text(encoding="utf-8"))["model_cfg"]["text_cfg"]
            shape = text.get("hf_model_name")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise UnusableModel(
                f"{OPEN_CLIP_CONFIG} of {self.card.name} is invalid",
                f"It describes no text tower ({type(error).__name__}). Use the file published with the weights.",
            ) from error
        if shape is None:
            return {}
        if not (self.folder / "config.json").is_file():
            raise UnusableModel(
                f"The folder of {self.card.name} is incomplete",
                f"Its text tower comes from transformers, whose shape is in a config.json. On a machine with network "
                f"access run `hf download {shape} config.json --local-dir {self.folder.name}` and copy the file here.",
            )
        return {"text_cfg": text | {"hf_model_name": str(self.folder), "hf_model_pretrained": False}}

    def _fetch(self) -> None:
        """Download the hub's files before anything is built. Raises UnusableModel if something is missing."""
        import open_clip
        from open_clip.pretrained import download_pretrained, download_pretrained_from_hf

        if self.folder is not None or Path(self.pretrained or "").is_file():
            return
        if self.pretrained is not None:
            _check_tag(self.card, self.model, self.pretrained)
        try:
            if self.pretrained is not None:
                download_pretrained(open_clip.get_pretrained_cfg(self.model, self.pretrained))
            else:
                open_clip.get_model_config(self.model)
                download_pretrained_from_hf(self.model.removeprefix("hf-hub:"))
        except _FAILURES as error:
            raise vlm_download_refusal(self.card, "It is not in the local cache and cannot be reached") from error

    def _unfit(self, error: Exception) -> UnusableModel:
        if isinstance(error, OSError) and self.folder is None and self.pretrained is None:
            return vlm_download_refusal(self.card, "Its text tower is not in the local cache and cannot be reached")
        return UnusableModel(
            f"open_clip cannot load {self.card.name}",
            f"{_error_line(error)}. The weights must be safetensors or a plain torch state dict that fits "
            f"{self.card.architecture}.",
        )


def _weights(card: VlmCard) -> str:
    """Return the path of an architecture's local weights file."""
    name = card.weights or ""
    try:
        path = card.local_file(name)
    except UnusableModel as error:
        if card.download is None:
            raise
        raise vlm_download_refusal(card, f"There is no file {name} next to its card") from error
    if path.suffix not in WEIGHTS_SUFFIXES:
        raise UnusableModel(
            f"{path.name} is not a readable weights file", f"Its name must end in one of {', '.join(WEIGHTS_SUFFIXES)}."
        )
    return str(path)


def _check_tag(card: VlmCard, architecture: str, tag: str) -> None:
    """Raise UnusableModel for a pair that open_clip does not know, or if its activation differs from the weights'."""
    import open_clip

    known = open_clip.get_model_config(architecture)
    described = open_clip.get_pretrained_cfg(architecture, tag)
    if known is None or not described:
        tags = ", ".join(open_clip.list_pretrained_tags_by_model(architecture)) or "none"
        raise UnusableModel(
            f"open_clip has no {architecture}/{tag}",
            f"The tags of {architecture} are: {tags}. `open_clip.list_pretrained()` lists all pairs.",
        )
    if bool(described.get("quick_gelu")) != bool(known.get("quick_gelu")):
        other = architecture.removesuffix("-quickgelu") if known.get("quick_gelu") else f"{architecture}-quickgelu"
        raise UnusableModel(
            f"{architecture} differs from the model that {tag} was trained as",
            f"One function differs, which would silently degrade its scores. Use open_clip:{other}/{tag}.",
        )


def _error_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return " ".join(lines[:2])[:300].rstrip(".")
