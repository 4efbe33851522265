"""Answers questions about a model by name, without loading it: its films, cautions, and need for the network.

An unreadable card gives no answer here; the error is reported when the model is loaded.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from models.cards.address import HUB, is_address
from models.cards.card import UnusableModel
from models.cards.classifier_card import classifier_card
from models.cards.vlm_card import SOURCE_PREFIXES, vlm_card
from models.films.film import Provenance


def film_provenance(name: str) -> Provenance | None:
    """Return the kind of films a classifier was made for; None if its card cannot be read."""
    try:
        return "real" if is_address(name) else classifier_card(name).films
    except UnusableModel:
        return None


def cautions_of(name: str) -> Mapping[str, str]:
    """Return the card's reservations about a classifier's scores by finding; empty if the card cannot be read."""
    try:
        return {} if is_address(name) else classifier_card(name).cautions
    except UnusableModel:
        return {}


def cannot_judge_of(name: str, sha256: str | None) -> Collection[str]:
    """Return the findings that a classifier ranks no better than chance; empty if `sha256` belongs to other weights."""
    try:
        found = None if is_address(name) else classifier_card(name)
    except UnusableModel:
        return ()
    return found.cannot_judge.keys() if found is not None and found.sha256 == sha256 else ()


def vlm_film_provenance(name: str) -> Provenance | None:
    """Return the kind of films an image-text model was made for; without a card, real films."""
    try:
        return "real" if name.startswith(SOURCE_PREFIXES) else vlm_card(name).films
    except UnusableModel:
        return None


def comes_from_hub(name: str) -> bool:
    """Return whether the weights of a classifier, or of one of its members, come from the hub."""
    if is_address(name):
        return name.startswith(HUB)
    try:
        found = classifier_card(name)
        return found.weights.startswith("hf-hub:") or any(comes_from_hub(member.name) for member in found.members)
    except UnusableModel:
        return False


def may_download(name: str) -> bool:
    """Return whether an image-text model's files may have to be downloaded."""
    try:
        source = name if name.startswith(SOURCE_PREFIXES) else vlm_card(name).source
    except UnusableModel:
        return False
    return source.startswith("hf-hub:") or (source.startswith("open_clip:") and "/" in source)
