"""A slice in words that say whether its model was trained on films of its centers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.doubt import listed
from explorer.slices import Slice, sentence

if TYPE_CHECKING:
    from explorer.store import Store


def marked_sentence(store: Store, asked: Slice) -> str:
    """The slice's sentence, with the centers of it that its model was trained on: `..., in-sample at NIH`."""
    (model,) = (each for each in store.models(asked.cohort) if each.model == asked.model)
    here = [center for center in model.in_sample if asked.center in (None, center)]
    said = sentence(asked, model.unit)
    return f"{said}, in-sample at {listed(here)}" if here else said
