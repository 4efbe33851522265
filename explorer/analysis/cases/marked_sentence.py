"""Describes a slice, including how its films relate to the model's training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.cohorts.manifest import ModelManifest
from explorer.core.in_sample import origin_words
from explorer.store.slices import Slice, sentence

if TYPE_CHECKING:
    from explorer.store.store import Store


def marked_sentence(store: Store, chosen: Slice) -> str:
    """Return the slice's sentence with the films' origin for its model: `..., internal at A and B`."""
    model = store.model(chosen.cohort, chosen.model)
    return sentence(chosen, model.unit, store.counted(chosen.cohort)) + origin_clause(model, chosen.center)


def origin_clause(model: ModelManifest, center: str | None) -> str:
    """Return the origin clause for one center or for all centers; empty if nothing is known."""
    words = origin_words(model.origins, None if center is None else [center])
    return words and f", {words}"
