"""Finds the cohorts that a film may be compared with: those scored with the same weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.cohorts.manifest import Manifest, ModelManifest
from models.cards.card import Card
from models.cards.vlm_card import VlmCard

if TYPE_CHECKING:
    from explorer.store.store import Store


def comparable_cohorts(store: Store, card: Card) -> tuple[Manifest, ...]:
    """Return the cohorts of films scored by this model, shipped ones first; a film is not compared with studies."""
    films = (cohort for cohort in store.cohorts() if cohort.studies is None)
    return tuple(cohort for cohort in films if scored_by(store, cohort.name, card) is not None)


def scored_by(store: Store, cohort: str, card: Card | VlmCard) -> ModelManifest | None:
    """Return the manifest of the model's scores in a cohort; None without any.

    Both name and weights have to match: scores from unknown weights are not comparable.
    """
    same = (each for each in store.models(cohort) if (each.model, each.sha256) == (card.name, card.sha256))
    return next(same, None)
