"""Sentences about a user's classifier after its trial, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.core.figures import score_text
from models.cards.card import Card

MAX_TRIAL_SCORES = 3  # scores of the trial film


def tried_words(scores: Mapping[str, float]) -> str:
    """Return the highest scores of the trial film."""
    few = sorted(scores.items(), key=lambda item: -item[1])[:MAX_TRIAL_SCORES]
    return "Tried on one simulated film: " + ", ".join(f"{finding} {score_text(score)}" for finding, score in few) + "."


def guessed_words(card: Card) -> list[str]:
    """Return a sentence for each assumption about the model."""
    return [f"Not stated, so assumed: {sentence}" for sentence in card.guessed]


def threshold_words(card: Card) -> str:
    """Return a warning about findings without a threshold; empty if there are none."""
    without = [finding for finding in card.findings if finding not in card.operating_points]
    if not without:
        return ""
    which = "its findings" if len(without) == len(card.findings) else f"{len(without)} of its findings"
    return (
        f"No threshold is known for {which}: scores have no outcome until you choose thresholds on labeled films, with "
        "`python -m explorer thresholds` or in Explore."
    )
