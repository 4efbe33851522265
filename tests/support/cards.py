"""Cards for tests that need no weights."""

from __future__ import annotations

from dataclasses import replace

from models.cards import classifier_card as cards
from models.cards.card import CardPoint
from models.cards.classifier_card import Card


def card_of(findings: tuple[str, ...], thresholds: dict[str, float], **changes: object) -> Card:
    """The registered card with other findings, each threshold with 24 of 30 found and 210 of 300 left below."""
    points = {name: CardPoint(cut, "Youden", 0.8, 0.7, 30, 300) for name, cut in thresholds.items()}
    plain: dict[str, object] = {
        "operating_points": points,
        "bands": {},
        "platt": {},
        "warnings": {},
        "cannot_judge": {},
        "cohort": None,
        "sha256": "0" * 64,  # no shipped cohort has scores by these weights
    }
    return replace(cards.classifier_card("nih-mini"), findings=findings, **(plain | changes))
