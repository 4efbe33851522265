"""Heat maps of a cohort's films: when the page's model may draw them, and what they are to be believed."""

from __future__ import annotations

from explorer.cohorts.manifest import ModelManifest
from explorer.core.in_sample import ORIGIN_MEANINGS
from explorer.reading.reader import Reader
from models.cards.card import Card


def why_no_maps(reader: Reader | None, made: ModelManifest) -> str:
    """Why the model that the page has loaded draws no maps of films that `made` scored; empty where it may.

    Waits until the model is loaded. Raises UnusableModel.
    """
    if reader is None:
        return "No model that could draw them is loaded."
    if made.unit == "margin":
        return f"{made.model} draws one of a typed text at a time: open this film's file in Ask."
    card = reader.card
    if card.name != made.model:
        return f"They need {made.model}; this page was started with {card.name}: start it with --model."
    if made.sha256 is None:
        return f"It is unknown which weights made the scores of {made.model}."
    if card.sha256 != made.sha256:
        return f"The weights of {card.name} here are not those that scored this cohort."
    return ""


def honest_words(card: Card, made: ModelManifest, center: str) -> str:
    """What a map is to be believed beside the scores that a cohort lists."""
    trained = any(source.center == center for source in card.training)
    if made.out_of_fold:
        on = "this film (in-sample)" if trained else "other films"
        return f"The listed scores are out of fold. The map is by {card.name} as it is shipped, trained on {on}."
    origin = made.origins.get(center)
    if origin is not None:
        return f"The map is by {card.name}. The film is {origin}: {ORIGIN_MEANINGS[origin]}."
    return f"The map is by {card.name}, which made the listed scores."
