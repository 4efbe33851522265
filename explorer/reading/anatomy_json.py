"""Converts what a film's anatomy tells to JSON for the page, `/read` and exports."""

from __future__ import annotations

from typing import TypedDict

from explorer.reading.anatomy import HeartSize, MapPlace, line_numbers


class HeartSizeAnswer(TypedDict):
    """The cardiothoracic ratio, null if the heart or the lungs were not found, as `says` then explains.

    `lines` are the heart's right and left part and the chest, each [left, right, y] in fractions of the film.
    """

    ratio: float | None
    lines: list[list[float]]
    says: str


class MapPlaceAnswer(TypedDict):
    """Where a finding's map is hottest, such as "right base"; empty if not found. `caution` may be empty."""

    finding: str
    place: str
    caution: str


class AnatomyAnswer(TypedDict):
    """Heart size, and the places of the maps of flagged findings; of these the page shows a map unasked."""

    heart: HeartSizeAnswer
    maps: list[MapPlaceAnswer]


def heart_size_answer(size: HeartSize) -> HeartSizeAnswer:
    """Return the heart size as JSON."""
    if size.ratio is None:
        return {"ratio": None, "lines": [], "says": size.says}
    return {"ratio": size.ratio.value, "lines": line_numbers(size.ratio), "says": size.says}


def map_place_answer(finding: str, place: MapPlace) -> MapPlaceAnswer:
    """Return the place of a finding's map as JSON."""
    return {"finding": finding, "place": place.place, "caution": place.caution}
