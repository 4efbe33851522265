"""What is said of a classifier of somebody's own once it was tried: in a terminal and on the page alike."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.core.figures import score_text
from models.cards.card import Card

SHOWN = 3  # scores of the film that it was tried on


def tried_words(scores: Mapping[str, float]) -> str:
    """The highest scores of the film that it was tried on."""
    few = sorted(scores.items(), key=lambda item: -item[1])[:SHOWN]
    return "Tried on one simulated film: " + ", ".join(f"{finding} {score_text(score)}" for finding, score in few) + "."


def guessed_words(card: Card) -> list[str]:
    """What nobody said, a sentence each."""
    return [f"Nobody said, so taken: {sentence}" for sentence in card.guessed]


def threshold_words(card: Card) -> str:
    """That scores have no outcome, where a finding has no threshold; empty where all have one."""
    without = [finding for finding in card.findings if finding not in card.operating_points]
    if not without:
        return ""
    of = "its findings" if len(without) == len(card.findings) else f"{len(without)} of its findings"
    return (
        f"No threshold is known for {of}: scores have no outcome until you choose some on films with labels, by "
        "`python -m explorer thresholds` or in Explore."
    )
