"""How films and the training of a model are related: by center, in the words that stand beside every number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from explorer.core.word_lists import and_list

Origin = Literal["in-sample", "possibly in-sample", "internal", "external by name", "external"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)
Origins = Mapping[str, Origin]  # by center; a center that is not named: nothing is known
OPTIMISTIC: tuple[Origin, ...] = ("in-sample", "possibly in-sample")
MEANINGS: Mapping[Origin, str] = {
    "in-sample": "the model was trained on these very films: figures are optimistic",
    "possibly in-sample": "the model was trained on films of this center, perhaps on these: figures may be optimistic",
    "internal": "films of other patients, from a center that the model was trained on",
    "external by name": "the model's card names no films of this center, but the films' origin was not checked",
    "external": "films of a center that the model never saw",
}


def optimistic_centers(origins: Origins) -> list[str]:
    """The centers of films that the model was, or may have been, fitted on, by name."""
    return sorted(center for center, origin in origins.items() if origin in OPTIMISTIC)


def origin_words(origins: Origins, listed: Sequence[str] | None = None) -> str:
    """Such as `in-sample at NIH, external at Hannover`; of the `listed` centers alone, if any are."""
    there = {center: origin for center, origin in origins.items() if listed is None or center in listed}
    parts = []
    for origin in ORIGINS:
        centers = sorted(center for center, found in there.items() if found == origin)
        if centers:
            parts.append(f"{origin} at {and_list(centers)}")
    return ", ".join(parts)
