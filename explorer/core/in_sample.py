"""How a cohort's films relate to a model's training films, by center, in the words shown beside every figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from explorer.core.word_lists import and_list

Origin = Literal["in-sample", "possibly in-sample", "internal", "external by name", "external"]
ORIGINS: tuple[Origin, ...] = get_args(Origin)
Origins = Mapping[str, Origin]  # by center; nothing is known about centers that are not listed
OPTIMISTIC: tuple[Origin, ...] = ("in-sample", "possibly in-sample")
ORIGIN_MEANINGS: Mapping[Origin, str] = {
    "in-sample": "the model was trained on these same films: figures are optimistic",
    "possibly in-sample": "the model was trained on films of this center, perhaps these: figures may be optimistic",
    "internal": "films of other patients from a center that the model was trained on",
    "external by name": "the model's card lists no films of this center; their origin was not checked",
    "external": "films of a center that the model never saw",
}


def optimistic_centers(origins: Origins) -> list[str]:
    """Return the centers whose films the model was, or may have been, trained on, sorted."""
    return sorted(center for center, origin in origins.items() if origin in OPTIMISTIC)


def origin_words(origins: Origins, listed: Sequence[str] | None = None) -> str:
    """Return `in-sample at NIH, external at Hannover`, restricted to `listed` centers if given."""
    shown_origins = {center: origin for center, origin in origins.items() if listed is None or center in listed}
    parts = []
    for origin in ORIGINS:
        centers = sorted(center for center, found in shown_origins.items() if found == origin)
        if centers:
            parts.append(f"{origin} at {and_list(centers)}")
    return ", ".join(parts)
