"""What a model's name decides before the model is loaded: its films, its cautions, whether the network is needed.

A card that cannot be read decides nothing here; what is wrong with it is said where the model is loaded.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from models.cards.address import HUB, is_address
from models.cards.card import UnusableModel
from models.cards.classifier_card import card
from models.cards.vlm_card import SOURCES, vlm_card
from models.films.film import Provenance


def films_of(name: str) -> Provenance | None:
    """The films that a classifier was made for; None where no card of it can be read."""
    try:
        return "real" if is_address(name) else card(name).films
    except UnusableModel:
        return None


def cautions_of(name: str) -> Mapping[str, str]:
    """What the card of a classifier has against its scores, by finding; nothing where no card of it can be read."""
    try:
        return {} if is_address(name) else card(name).cautions
    except UnusableModel:
        return {}


def cannot_judge_of(name: str, sha256: str | None) -> Collection[str]:
    """The findings that a classifier may rank no better than chance by its card; none of other weights."""
    try:
        about = None if is_address(name) else card(name)
    except UnusableModel:
        return ()
    return about.cannot_judge.keys() if about is not None and about.sha256 == sha256 else ()


def films_of_vlm(name: str) -> Provenance | None:
    """The same of an image-text model; one without a card was not made for the phantom's films."""
    try:
        return "real" if name.startswith(SOURCES) else vlm_card(name).films
    except UnusableModel:
        return None


def is_downloaded(name: str) -> bool:
    """Whether a classifier's weights come from a hub, or those of a member."""
    if is_address(name):
        return name.startswith(HUB)
    try:
        about = card(name)
        return about.weights.startswith("hf-hub:") or any(is_downloaded(member.name) for member in about.members)
    except UnusableModel:
        return False


def needs_network(name: str) -> bool:
    """Whether an image-text model's files may have to be downloaded."""
    try:
        source = name if name.startswith(SOURCES) else vlm_card(name).source
    except UnusableModel:
        return False
    return source.startswith("hf-hub:") or (source.startswith("open_clip:") and "/" in source)
