"""A name to a ready model on cuda, mps or cpu, once per process."""

from __future__ import annotations

import threading

import torch

from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import card
from models.cards.weights_file import loaded
from models.classifier.classifier import Classifier
from models.classifier.ensemble import AnyClassifier, Ensemble
from models.vlm.model import VLM
from models.vlm.open_model import open_vlm

_ready: dict[tuple[str, str], AnyClassifier] = {}
_lock = threading.Lock()
_vlms: dict[tuple[str, str], VLM] = {}
_vlm_lock = threading.Lock()  # of its own: who waits for a classifier does not wait for an image-text model


def classifier(name: str, device: str = "auto") -> AnyClassifier:
    """The registered model `name`, or the one of a TOML file's path, on `device` (auto, cpu, cuda, mps).

    Raises UnusableModel where the card, the weights or the device is unavailable.
    """
    chosen = _device(device)
    with _lock:
        if (name, chosen) not in _ready:
            _ready[name, chosen] = _opened(card(name), chosen)
        return _ready[name, chosen]


def network(name: str, device: str = "auto") -> Classifier:
    """The classifier `name`, which is no ensemble, such as the tower of an image-text model; raises as it does."""
    found = classifier(name, device)
    if isinstance(found, Ensemble):
        members = ", ".join(member.name for member in found.card.members)
        raise UnusableModel(
            f"{name} is an ensemble where one network is needed", f"Name one of its members: {members}."
        )
    return found


def _opened(description: Card, device: str) -> AnyClassifier:
    if not description.members:
        return Classifier(*loaded(description), device)
    return Ensemble(description, [_member(member.name, device) for member in description.members])


def _member(name: str, device: str) -> Classifier:
    """A network, shared with whoever asks for it by itself; the card of an ensemble names no other ensemble."""
    found = _ready.get((name, device))
    if not isinstance(found, Classifier):
        description = card(name)
        found = _ready[name, device] = Classifier(*loaded(description), device)
    return found


def vlm(name: str, device: str = "auto") -> VLM:
    """The image-text model `name` on `device` (auto, cpu, cuda, mps).

    A name is one of the registry, the path of a TOML file, or a source: local-dir:FOLDER, hf-hub:OWNER/REPOSITORY or
    open_clip:ARCHITECTURE/TAG. Raises UnusableModel where the card, the weights or the device is unavailable.
    """
    chosen = _device(device)
    with _vlm_lock:
        if (name, chosen) not in _vlms:
            _vlms[name, chosen] = open_vlm(name, chosen, network)
        return _vlms[name, chosen]


def _device(wanted: str) -> str:
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if wanted == "auto":
        return next(name for name, there in present.items() if there)
    if wanted not in present:
        raise UnusableModel(f"There is no device {wanted!r}", "Choose auto, cpu, cuda or mps.")
    if not present[wanted]:
        raise UnusableModel(
            f"This machine has no usable {wanted} device",
            "Start with --device cpu, or --device auto to use what is available.",
        )
    return wanted
