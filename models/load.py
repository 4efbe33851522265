"""Load models by name onto cuda, mps or cpu, once per process."""

from __future__ import annotations

import threading

from models.cards.card import Card, UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.weights_file import load_weights
from models.classifier.classifier import Classifier
from models.classifier.ensemble import AnyClassifier, Ensemble
from models.device import usable_device
from models.vlm.model import VLM
from models.vlm.open_model import open_vlm

_classifiers: dict[tuple[str, str], AnyClassifier] = {}
_lock = threading.Lock()
_vlms: dict[tuple[str, str], VLM] = {}
_vlm_lock = threading.Lock()  # separate, so that loading a classifier does not block loading an image-text model


def classifier(name: str, device: str = "auto") -> AnyClassifier:
    """Return the classifier `name`, a registered name or the path of a TOML card, on `device` (auto, cpu, cuda, mps).

    Raises UnusableModel if the card, the weights or the device is unavailable.
    """
    resolved = usable_device(device)
    with _lock:
        if (name, resolved) not in _classifiers:
            _classifiers[name, resolved] = _opened(classifier_card(name), resolved)
        return _classifiers[name, resolved]


def network(name: str, device: str = "auto") -> Classifier:
    """Return the classifier `name` as a single network, such as an image-text model's tower; refuses an ensemble."""
    found = classifier(name, device)
    if isinstance(found, Ensemble):
        members = ", ".join(member.name for member in found.card.members)
        raise UnusableModel(
            f"{name} is an ensemble, but a single network is needed", f"Name one of its members: {members}."
        )
    return found


def _opened(description: Card, device: str) -> AnyClassifier:
    if not description.members:
        return Classifier(*load_weights(description), device)
    return Ensemble(description, [_member(member.name, device) for member in description.members])


def _member(name: str, device: str) -> Classifier:
    """Return an ensemble member, shared with direct requests for that model; members are never ensembles themselves."""
    found = _classifiers.get((name, device))
    if not isinstance(found, Classifier):
        description = classifier_card(name)
        found = _classifiers[name, device] = Classifier(*load_weights(description), device)
    return found


def vlm(name: str, device: str = "auto") -> VLM:
    """Return the image-text model `name` on `device` (auto, cpu, cuda, mps).

    `name` is a registered name, the path of a TOML card, or a source: local-dir:FOLDER, hf-hub:OWNER/REPOSITORY or
    open_clip:ARCHITECTURE/TAG. Raises UnusableModel if the card, the weights or the device is unavailable.
    """
    resolved = usable_device(device)
    with _vlm_lock:
        if (name, resolved) not in _vlms:
            _vlms[name, resolved] = open_vlm(name, resolved, network)
        return _vlms[name, resolved]
