"""A slice in words that say how its films and the training of its model are related."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.cohorts.manifest import ModelManifest
from explorer.core.in_sample import origin_words
from explorer.store.slices import Slice, sentence

if TYPE_CHECKING:
    from explorer.store.store import Store


def marked_sentence(store: Store, asked: Slice) -> str:
    """The slice's sentence, with where its films are from for its model: `..., internal at A and B`."""
    model = store.model(asked.cohort, asked.model)
    return sentence(asked, model.unit) + origin_clause(model, asked.center)


def origin_clause(model: ModelManifest, center: str | None) -> str:
    """The same words of films of one center, or of all: empty where nothing is known."""
    words = origin_words(model.origins, None if center is None else [center])
    return words and f", {words}"
