"""Whether a model was fitted on the very film that it reads, and what it says of that film unseen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.cases.comparable_cohorts import comparable, scored_by
from explorer.analysis.cases.neighbors import neighbors_of
from explorer.core.figures import score_text
from models.cards.card import Card

if TYPE_CHECKING:
    from explorer.store.store import Store

TRAINED = "The model was trained on this film"


@dataclass(frozen=True, slots=True)
class TrainingFilm:
    """A film that the weights were fitted on: what they say of it is in-sample, and optimistic.

    `unseen` are the scores by finding of a model that was trained alike without the patient; empty where nobody has
    them. `cohort` has the film.
    """

    cohort: str
    unseen: Mapping[str, float] = field(hash=False)

    def words(self, finding: str) -> str:
        """What is said beside the score of a finding."""
        score = self.unseen.get(finding)
        return f"{TRAINED}." if score is None else f"{TRAINED}; unseen it scored {score_text(score)}."


def training_film(store: Store, card: Card, features: NDArray[np.float32]) -> TrainingFilm | None:
    """The film with features (d,), where a cohort has it, or a copy of it, among the films that the card's weights saw.

    None: no cohort knows it as one of them, which proves nothing. Raises StoreError and NoCohort as the store does.
    """
    for cohort in comparable(store, card):
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
            return TrainingFilm(cohort.name, {finding: said.score for finding, said in scored.items()})
        (line,) = store.cases(cohort.name, [case])
        if model.origins.get(line.center) == "in-sample":
            return TrainingFilm(cohort.name, {})
    return None
