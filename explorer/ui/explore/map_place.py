"""The place of Read's film on a map: between its nearest films there."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

import numpy as np

from explorer.analysis.cases.comparable_cohorts import scored_by
from explorer.analysis.cases.neighbors import neighbors_of
from explorer.analysis.film_maps.film_map import ANCHORS, interpolate_position
from explorer.cohorts.film_map import KnownMap
from explorer.cohorts.public_ids import opaque_id

if TYPE_CHECKING:
    from explorer.reading.reader import Reading
    from explorer.store.store import Store


class NearPayload(TypedDict):
    """A near film: its id in addresses, its case, its distance from 0 to 2."""

    id: str
    case: str
    distance: float


class OwnFilmPayload(TypedDict):
    """The film's place, null if unknown; how it was found; and the films it lies between."""

    x: float | None
    y: float | None
    words: str
    near: list[NearPayload]


def own_film_payload(store: Store, known: KnownMap, cohort: str, model: str, reading: Reading) -> OwnFilmPayload:
    """Read's film on a cohort's map; a film read by another model is not comparable."""
    scored = scored_by(store, cohort, reading.card)
    if scored is None or scored.model != model:
        words = f"Your film in Read was read by {reading.card.name}, so it has no place on the map of {model}."
        return {"x": None, "y": None, "words": words, "near": []}
    near = neighbors_of(store, cohort, model).of_film(reading.features, ANCHORS)
    placed = [(each, place) for each in near if (place := known.place(each.case)) is not None]
    if not placed:
        return {"x": None, "y": None, "words": "No film of this map is near your film in Read.", "near": []}
    distances, places = zip(*((each.distance, place) for each, place in placed), strict=True)
    x, y = interpolate_position(np.array(distances, np.float64), np.array(places, np.float64))
    return {
        "x": float(x),
        "y": float(y),
        "words": f"Your film in Read is placed between its {len(placed)} nearest films by these features, weighted by "
        "nearness; it was not part of the layout.",
        "near": [
            {"id": opaque_id(cohort, "case", each.case), "case": each.case, "distance": each.distance}
            for each, _ in placed
        ],
    }
