"""Loads the model that a command line names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.reading.named_outputs import model_name
from explorer.settings import Device
from models.cards.address import is_address
from models.cards.hub import is_image_text
from models.cards.registry import registry_table
from models.cards.vlm_card import SOURCE_PREFIXES, VLM_KIND

if TYPE_CHECKING:
    from models.classifier.ensemble import AnyClassifier
    from models.vlm.model import VLM


def loaded_classifier(name: str, device: Device) -> AnyClassifier:
    """Return the classifier of a name or address; raises UnusableModel."""
    from models import load

    return load.classifier(model_name(name) if is_address(name) else name, device)


def loaded_model(name: str, device: Device) -> AnyClassifier | VLM:
    """Return the classifier or image-text model of a name or address; raises UnusableModel."""
    from models import load

    if is_address(name):
        return load.vlm(name, device) if is_image_text(name) else load.classifier(model_name(name), device)
    if name.startswith(SOURCE_PREFIXES) or registry_table(name)[1].get("kind") == VLM_KIND:
        return load.vlm(name, device)
    return load.classifier(name, device)
