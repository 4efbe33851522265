"""Names the place of a point on a film in a reader's words, such as "right base", from the outlines of its anatomy.

A lung has three zones of equal height: upper and mid zone and base, as on plain films, where lobes cannot be told apart
(Hansell et al., "Fleischner Society: Glossary of Terms", Radiology 2008).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.array_types import Bools

ZONES = ("upper zone", "mid zone", "base")
OUTSIDE = "outside the lungs"
_LUNGS = tuple(f"{side} {zone}" for side in ("right", "left") for zone in ZONES)
_OTHER = ("heart", "mediastinum", "below diaphragm")
OVER_THE_HEART = "over the heart"
PLACES = (OUTSIDE, *_LUNGS, OVER_THE_HEART, "over the mediastinum", "below the diaphragm")
GRID_CELLS = 40  # per side
_NEAR = 0.02  # of the film's longer side: a point this close to a lung, and in no other structure, belongs to it


@dataclass(frozen=True, slots=True, eq=False)
class PlaceMap:
    """The place of each pixel: its index in PLACES (h, w); and whether it is in or close to a lung (h, w)."""

    numbers: NDArray[np.uint8]
    lung_field: Bools

    def place(self, x: float, y: float) -> str:
        """Return the place at these fractions of the film's width and height."""
        height, width = self.numbers.shape
        row, column = (min(int(share * side), side - 1) for share, side in ((y, height), (x, width)))
        return self.at(column, row)

    def at(self, column: float, row: float) -> str:
        """Return the place of the pixel at this column and row."""
        return PLACES[int(self.numbers[int(row), int(column)])]

    def grid(self) -> PlaceGrid:
        """Return the places of the middles of GRID_CELLS by GRID_CELLS cells."""
        height, width = self.numbers.shape
        middles = (np.arange(GRID_CELLS) + 0.5) / GRID_CELLS
        cells = self.numbers[np.ix_((middles * height).astype(int), (middles * width).astype(int))]
        return PlaceGrid(tuple("".join(map(str, row)) for row in cells.tolist()))


@dataclass(frozen=True, slots=True)
class PlaceGrid:
    """The places of a film in few bytes: a row of digits for each row of cells; a digit is an index in PLACES."""

    rows: tuple[str, ...]

    def place(self, x: float, y: float) -> str:
        """Return the place at these fractions of the film's width and height."""
        row, column = (min(int(share * GRID_CELLS), GRID_CELLS - 1) for share in (y, x))
        return PLACES[int(self.rows[row][column])]


def place_map(masks: Mapping[str, Bools]) -> PlaceMap:
    """Return the place of every pixel; the lungs must not be empty."""
    from scipy.ndimage import distance_transform_edt  # slow to import

    numbers = np.zeros(masks["heart"].shape, np.uint8)
    for number, name in enumerate(_OTHER, PLACES.index(OVER_THE_HEART)):
        numbers[masks[name]] = number
    for number, side in ((1, "right"), (1 + len(ZONES), "left")):
        lung = masks[f"{side} lung"]
        rows = np.flatnonzero(lung.any(1))
        third = ((np.arange(len(lung)) - rows[0]) * len(ZONES) // (rows[-1] + 1 - rows[0])).astype(np.uint8)
        numbers = np.where(lung, number + third[:, None], numbers).astype(np.uint8)
    lungs = masks["right lung"] | masks["left lung"]
    away, (down, across) = distance_transform_edt(~lungs, return_indices=True)
    field = away <= _NEAR * max(lungs.shape)
    rim = field & (numbers == 0)
    numbers[rim] = numbers[down[rim], across[rim]]
    return PlaceMap(numbers, field)
