"""An area lassoed on a map of films: a polygon with integer corners, encoded as short text for an address.

Integers, so that Python, SQL and the page's script agree about every film on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAP_SIDE = 65_536  # units; films have integer positions from 0
CELL_UNITS = 16  # corners lie at the centers of cells of this size
MIN_CORNERS, MAX_CORNERS = 3, 64
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"  # as in base64url
_VALUE = {digit: value for value, digit in enumerate(_DIGITS)}
_CORNER = 4  # characters: two per coordinate, the high one first
AREA_SEPARATOR = "."  # between the map's version and the corners
Corner = tuple[int, int]
FilmPosition = tuple[int, int]


class WrongArea(ValueError):
    """Text that is not an area; the message completes `The link names`."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A non-horizontal side of the polygon, from its lower end (x, y); `right` and `up` lead to the upper end."""

    x: int
    y: int
    right: int
    up: int


@dataclass(frozen=True, slots=True)
class MapArea:
    """The films inside a polygon on a model's map. `map` is the map's version; `corners` are cells, from 0.

    `films` is the number of films on the whole map that lie inside.
    """

    model: str
    map: str
    corners: tuple[Corner, ...]
    films: int

    def holds(self, x: int, y: int) -> bool:
        """Whether a film at this position lies inside, by the even-odd rule."""
        return sum(_passes(edge, x, y) for edge in edges(self.corners)) % 2 == 1


def edges(corners: Sequence[Corner]) -> Iterator[Edge]:
    """Yield the sides in the map's units: a film is inside if an odd number of them pass to its right.

    A side passes a film if y <= the film's y < y + up, and the film lies left of it. Horizontal sides pass none.
    """
    ends = [(x * CELL_UNITS + CELL_UNITS // 2, y * CELL_UNITS + CELL_UNITS // 2) for x, y in corners]
    for one, other in zip(ends, [*ends[1:], *ends[:1]], strict=True):
        low, high = sorted((one, other), key=lambda end: end[1])
        if low[1] < high[1]:
            yield Edge(*low, high[0] - low[0], high[1] - low[1])


def inside(corners: Sequence[Corner], x: NDArray[np.uint16], y: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Return whether each film at positions `x` (n,) and `y` (n,) lies inside, as an array (n,)."""
    across, up = x.astype(np.int64), y.astype(np.int64)
    odd = np.zeros(len(x), np.bool_)
    for edge in edges(corners):
        odd ^= (edge.y <= up) & (up < edge.y + edge.up) & ((across - edge.x) * edge.up < edge.right * (up - edge.y))
    return odd


def area_word(area: MapArea) -> str:
    """Return the area for an address: the map's version, and four characters per corner."""
    return area.map + AREA_SEPARATOR + "".join(_pair(x) + _pair(y) for x, y in area.corners)


def corners_of(word: str) -> tuple[str, tuple[Corner, ...]]:
    """Parse what `area_word` wrote into the map's version and corners. Raises WrongArea."""
    version, _, code = word.partition(AREA_SEPARATOR)
    values = [_VALUE.get(digit) for digit in code]
    if not version or not code or None in values or len(code) % _CORNER:
        raise WrongArea("an area of the map that is damaged")
    corners = tuple(
        (values[at] * 64 + values[at + 1], values[at + 2] * 64 + values[at + 3])  # type: ignore[operator]  # not None
        for at in range(0, len(values), _CORNER)
    )
    if not MIN_CORNERS <= len(corners) <= MAX_CORNERS:
        raise WrongArea(f"an area of the map with {len(corners)} corners; it has {MIN_CORNERS} to {MAX_CORNERS}")
    if next(edges(corners), None) is None or len({x for x, _ in corners}) == 1:
        raise WrongArea("an area of the map that is a line")
    return version, corners


def _passes(edge: Edge, x: int, y: int) -> bool:
    return edge.y <= y < edge.y + edge.up and (x - edge.x) * edge.up < edge.right * (y - edge.y)


def _pair(value: int) -> str:
    return _DIGITS[value // 64] + _DIGITS[value % 64]
