"""A slice in words that say whether its model was trained on films of its centers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.analysis.label_issues.doubt import listed
from explorer.cohorts.manifest import ModelManifest
from explorer.store.slices import Slice, sentence

if TYPE_CHECKING:
    from explorer.store.store import Store


def marked_sentence(store: Store, asked: Slice) -> str:
    """The slice's sentence, with the centers of it that its model was trained on: `..., in-sample at NIH`."""
    model = store.model(asked.cohort, asked.model)
    return sentence(asked, model.unit) + in_sample_words(model, asked.center)


def in_sample_words(model: ModelManifest, center: str | None) -> str:
    """The same words of films of one center, or of all: empty where the model was trained on none of them."""
    here = [each for each in model.in_sample if center in (None, each)]
    return f", in-sample at {listed(here)}" if here else ""
