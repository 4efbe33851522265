"""Heat maps of a cohort's films: when the page's model may draw them, and their caveat."""

from __future__ import annotations

from explorer.cohorts.manifest import ModelManifest
from explorer.core.in_sample import ORIGIN_MEANINGS
from explorer.reading.reader import Reader
from models.cards.card import Card


def maps_unavailable_reason(reader: Reader | None, made: ModelManifest) -> str:
    """Return why the loaded model cannot draw maps of films that `made` scored; empty if it can.

    Waits until the model is loaded. Raises UnusableModel.
    """
    if reader is None:
        return "No model is loaded that could draw heat maps."
    if made.unit == "margin":
        return f"{made.model} draws heat maps of typed findings only: open this film's file in Ask."
    card = reader.card
    if card.name != made.model:
        return f"Heat maps need {made.model}, but this page runs {card.name}: restart it with --model."
    if made.sha256 is None:
        return f"The weights behind the scores of {made.model} are unknown."
    if card.sha256 != made.sha256:
        return f"This cohort was scored with other weights of {card.name}."
    return ""


def map_caveat(card: Card, made: ModelManifest, center: str) -> str:
    """Return the caveat of a map shown next to the cohort's listed scores."""
    trained = any(source.center == center for source in card.training)
    if made.out_of_fold:
        on = "this film (in-sample)" if trained else "other films"
        return f"The listed scores are out of fold. The map comes from the shipped {card.name}, trained on {on}."
    origin = made.origins.get(center)
    if origin is not None:
        return f"The map comes from {card.name}. The film is {origin}: {ORIGIN_MEANINGS[origin]}."
    return f"The map comes from {card.name}, which made the listed scores."
