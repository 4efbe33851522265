"""Opens an image-text model by name: its card, towers and scale."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from safetensors import SafetensorError, safe_open
from torch import Tensor

from models.cards.card import UnusableModel
from models.cards.vlm_card import SOURCE_PREFIXES, VlmCard, vlm_card
from models.cards.weights_file import check_hash
from models.classifier.classifier import Classifier
from models.out_of_memory import refuse_out_of_memory
from models.prompts.templates import TEMPLATES
from models.vlm.image import OwnTower, SharedTower
from models.vlm.model import VLM
from models.vlm.source import OpenClipFiles
from models.vlm.text import EncoderAndTokenizer, TextTower

PROJECTION_WEIGHT, PROJECTION_BIAS, LOGIT_SCALE = "visual.head.proj.weight", "visual.head.proj.bias", "logit_scale"


def open_vlm(name: str, device: str, classifier: Callable[[str, str], Classifier]) -> VLM:
    """Return the image-text model with a registered name, a TOML file's path or a bare source, on cuda, mps or cpu.

    `classifier` loads, by name and device, the classifier whose tower is shared. Raises UnusableModel.
    """
    card = bare_card(name) if name.startswith(SOURCE_PREFIXES) else vlm_card(name)
    source = OpenClipFiles.of(card)
    if card.weights and card.sha256:
        path = card.local_file(card.weights)
        with path.open("rb") as file:
            check_hash(card.name, path, hashlib.file_digest(file, "sha256").hexdigest(), card.sha256)
    if card.tower is None:
        return _complete_model(card, source, device)
    return _shared_model(card, source, classifier(card.tower, device))


def bare_card(source: str) -> VlmCard:
    """Return a card for a model given only by its source; facts from its own files are filled in when they are read."""
    _, _, rest = source.partition(":")
    words = rest.rstrip("/").split("/")
    name = "-".join(words) if source.startswith("open_clip:") else words[-1]
    if not name or (source.startswith("open_clip:") and len(words) != 2):
        raise UnusableModel(
            f"{source!r} does not name a model",
            "Write local-dir:FOLDER, hf-hub:OWNER/REPOSITORY or open_clip:ARCHITECTURE/TAG.",
        )
    return VlmCard(
        name=re.sub("[^A-Za-z0-9._-]", "-", name),
        title=source,
        architecture="the architecture named in its own files",
        source=source,
        weights=None,
        sha256=None,
        tower=None,
        size=0,
        mean=(),
        std=(),
        resize="longest",
        scale=None,
        templates=TEMPLATES,
        films="real",
        captions=(),
        operating_points=MappingProxyType({}),
        training=(),
        heat_maximum=None,
        maps=None,
        validation=None,
        licence="unknown: see the source of the model",
        citation="",
        warnings=MappingProxyType({}),
        download=None,
        files=MappingProxyType({}),
        folder=Path.cwd(),
    )


def _complete_model(card: VlmCard, source: OpenClipFiles, device: str) -> VLM:
    """Return a model that open_clip loads completely, with its own image and text towers."""
    model = cast(Any, source.load())
    card = _completed(card, model)
    with refuse_out_of_memory(card.name, device):
        model = model.to(device)
        images = OwnTower(card, model.visual, source.width, device)
    texts = TextTower(card.name, device, lambda: (model, source.tokenizer()))
    texts.open()
    return VLM(card, device, card.scale or float(model.logit_scale.exp()), images, texts)


def _completed(card: VlmCard, model: Any) -> VlmCard:  # noqa: ANN401 - open_clip's interface is by convention
    """Complete the card with the input facts in the model's own files, if the card does not state them."""
    described = model.visual.preprocess_cfg
    height, width = (described["size"],) * 2 if isinstance(described["size"], int) else described["size"]
    if height != width or card.size not in (0, height):
        raise UnusableModel(
            f"{card.name} does not take squares of {card.size or height} pixels",
            f"Its own files say {height} x {width}. Correct `size` in its card; only square inputs are supported.",
        )
    return replace(
        card, size=height, mean=card.mean or tuple(described["mean"]), std=card.std or tuple(described["std"])
    )


def _shared_model(card: VlmCard, source: OpenClipFiles, classifier: Classifier) -> VLM:
    """Return a model that projects a classifier's features; its text tower is opened on first use."""
    tensors = _projection(card)
    seen = classifier.card
    fits = (card.size, card.resize) == (seen.size, "letterbox")
    if not fits or tensors[PROJECTION_WEIGHT].shape[1] != classifier.backbone.width:
        raise UnusableModel(
            f"{card.name} does not fit the tower of {seen.name}",
            f"It needs letterboxed films of {seen.size} pixels and {classifier.backbone.width} features.",
        )

    def opened() -> EncoderAndTokenizer:
        model = cast(Any, source.load())
        model.visual = None  # the classifier takes its place
        return model.to(classifier.device), source.tokenizer()

    images = SharedTower(classifier, tensors[PROJECTION_WEIGHT], tensors.get(PROJECTION_BIAS))
    texts = TextTower(card.name, classifier.device, opened)
    scale = card.scale or float(tensors[LOGIT_SCALE].float().exp())
    return VLM(replace(card, mean=seen.mean, std=seen.std), classifier.device, scale, images, texts)


def _projection(card: VlmCard) -> dict[str, Tensor]:
    """Return the tensors in a shared tower's file that belong to neither the classifier nor the text tower."""
    path = card.local_file(card.weights or "")
    try:
        with safe_open(path, framework="pt") as file:
            found = {
                key: file.get_tensor(key)
                for key in (PROJECTION_WEIGHT, PROJECTION_BIAS, LOGIT_SCALE)
                if key in file.keys()
            }  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise UnusableModel(f"{path.name} is not a safetensors file", f"{error}. Restore the file.") from error
    if PROJECTION_WEIGHT not in found or LOGIT_SCALE not in found:
        raise UnusableModel(
            f"{path.name} contains no projection",
            f"For a model with a `tower` it must contain {PROJECTION_WEIGHT} and {LOGIT_SCALE}.",
        )
    return found
