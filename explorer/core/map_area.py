"""An area that somebody lassoed on a map of films: a polygon in whole numbers, as short text for an address.

Whole numbers, so that Python, SQL and the page's script say the same of every film, on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SIDE = 65_536  # units along a side of the map: films lie at whole ones, from 0 on
CELL = 16  # units between two places where a corner may lie; it lies in the middle of a cell
FEWEST, MOST = 3, 64  # corners
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"  # as in base64url
_VALUE = {digit: value for value, digit in enumerate(_DIGITS)}
_CORNER = 4  # characters: two for each coordinate, the first the higher one
BETWEEN = "."  # the map's version and the corners
Corner = tuple[int, int]
Place = tuple[int, int]  # of a film


class WrongArea(ValueError):
    """Text that is no area: says what it is instead, to go on from `The link names`."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A side of the polygon that is not level, from its lower end (x, y); `right` and `up` lead to the other one."""

    x: int
    y: int
    right: int
    up: int


@dataclass(frozen=True, slots=True)
class MapArea:
    """The films of a model's map in a polygon. `map` is the map's version; `corners` are cells, 0 to SIDE / CELL - 1.

    `films` counts those of the whole map that lie inside.
    """

    model: str
    map: str
    corners: tuple[Corner, ...]
    films: int

    def holds(self, x: int, y: int) -> bool:
        """Whether a film at this place lies inside, by the even-odd rule."""
        return sum(_passes(edge, x, y) for edge in edges(self.corners)) % 2 == 1


def edges(corners: Sequence[Corner]) -> Iterator[Edge]:
    """The sides in the map's units: a film is inside where an odd number of them passes to its right.

    A side passes a film where y <= the film's < y + up, and the film lies left of it. Level sides pass none.
    """
    ends = [(x * CELL + CELL // 2, y * CELL + CELL // 2) for x, y in corners]
    for one, other in zip(ends, [*ends[1:], *ends[:1]], strict=True):
        low, high = sorted((one, other), key=lambda end: end[1])
        if low[1] < high[1]:
            yield Edge(*low, high[0] - low[0], high[1] - low[1])


def inside(corners: Sequence[Corner], x: NDArray[np.uint16], y: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Which of the films at places (n,) and (n,) lie inside, (n,)."""
    across, up = x.astype(np.int64), y.astype(np.int64)
    odd = np.zeros(len(x), np.bool_)
    for edge in edges(corners):
        odd ^= (edge.y <= up) & (up < edge.y + edge.up) & ((across - edge.x) * edge.up < edge.right * (up - edge.y))
    return odd


def area_word(area: MapArea) -> str:
    """The area for an address: the map's version, and four characters for each corner."""
    return area.map + BETWEEN + "".join(_pair(x) + _pair(y) for x, y in area.corners)


def corners_of(word: str) -> tuple[str, tuple[Corner, ...]]:
    """Version of the map and corners of what `area_word` wrote. Raises WrongArea."""
    version, _, code = word.partition(BETWEEN)
    values = [_VALUE.get(digit) for digit in code]
    if not version or not code or None in values or len(code) % _CORNER:
        raise WrongArea("an area of the map that is damaged")
    corners = tuple(
        (values[at] * 64 + values[at + 1], values[at + 2] * 64 + values[at + 3])  # type: ignore[operator]  # None is refused above
        for at in range(0, len(values), _CORNER)
    )
    if not FEWEST <= len(corners) <= MOST:
        raise WrongArea(f"an area of the map with {len(corners)} corners; it has {FEWEST} to {MOST}")
    if next(edges(corners), None) is None or len({x for x, _ in corners}) == 1:
        raise WrongArea("an area of the map that is a line")
    return version, corners


def _passes(edge: Edge, x: int, y: int) -> bool:
    return edge.y <= y < edge.y + edge.up and (x - edge.x) * edge.up < edge.right * (y - edge.y)


def _pair(value: int) -> str:
    return _DIGITS[value // 64] + _DIGITS[value % 64]
