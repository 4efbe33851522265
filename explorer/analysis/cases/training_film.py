"""Detects films that the model was trained on, and finds scores of a model that had not seen them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.cases.comparable_cohorts import comparable_cohorts, scored_by
from explorer.analysis.cases.neighbors import neighbors_of
from explorer.core.figures import score_text
from models.cards.card import Card

if TYPE_CHECKING:
    from explorer.store.store import Store

TRAINED_NOTE = "The model was trained on this film"


@dataclass(frozen=True, slots=True)
class TrainingFilm:
    """A film that the weights were trained on, so the model's scores of it are in-sample and optimistic.

    `unseen` holds scores by finding from a model trained the same way without the patient; empty if there are none.
    `cohort` names the cohort that contains the film.
    """

    cohort: str
    unseen: Mapping[str, float] = field(hash=False)

    def words(self, finding: str) -> str:
        """Return the note printed next to a finding's score."""
        score = self.unseen.get(finding)
        return f"{TRAINED_NOTE}." if score is None else f"{TRAINED_NOTE}; unseen it scored {score_text(score)}."


def training_film(store: Store, card: Card, features: NDArray[np.float32]) -> TrainingFilm | None:
    """Return the training film that a film with features (d,) equals or copies, if any comparable cohort lists it.

    None means that no cohort lists it, which does not prove that it was unseen. Raises StoreError and NoCohort from the
    store.
    """
    for cohort in comparable_cohorts(store, card):
        model = scored_by(store, cohort.name, card)
        if model is None or not (model.out_of_fold or "in-sample" in model.origins.values()):
            continue
        neighbors = neighbors_of(store, cohort.name, card.name)
        nearest = neighbors.of_film(features, 1)
        if not nearest or not nearest[0].distance <= neighbors.copy:
            continue
        case = nearest[0].case
        if model.out_of_fold:
            scored = store.scored(cohort.name, card.name, [case])[case]
            return TrainingFilm(cohort.name, {finding: pair.score for finding, pair in scored.items()})
        (line,) = store.cases(cohort.name, [case])
        if model.origins.get(line.center) == "in-sample":
            return TrainingFilm(cohort.name, {})
    return None
