"""The cohorts that a film may be set beside: those that the very weights which read it have scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.cohorts.manifest import Manifest, ModelManifest
from models.cards.card import Card
from models.cards.vlm_card import VlmCard

if TYPE_CHECKING:
    from explorer.store.store import Store


def comparable(store: Store, card: Card) -> tuple[Manifest, ...]:
    """The cohorts that this very model has scored, the shipped ones first."""
    return tuple(cohort for cohort in store.cohorts() if scored_by(store, cohort.name, card) is not None)


def scored_by(store: Store, cohort: str, card: Card | VlmCard) -> ModelManifest | None:
    """What is said of the model's scores there; None where it has none.

    That of the same weights under the same name: scores of nobody knows which weights are no comparison.
    """
    same = (each for each in store.models(cohort) if (each.model, each.sha256) == (card.name, card.sha256))
    return next(same, None)
