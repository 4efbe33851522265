"""What a finding changes in a film of any size. It is worked out on the film reduced to 512 px, and enlarged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from models.array_types import Bools, Float32

_LEAST = 0.5 / 65535  # of gray: half a level, below which nothing can be seen


@dataclass(frozen=True, slots=True, eq=False)
class FilmChange:
    """The part (k, l) of a reduced film that changes, as differences of gray in [-1, 1]; it hardly changes elsewhere.

    `row` and `column` are of its upper left pixel, `size` is the height and width of the reduced film.
    """

    gray: Float32
    row: int
    column: int
    size: tuple[int, int]

    @classmethod
    def between(cls, before: Float32, after: Float32) -> FilmChange:
        """Return the difference between two films (h, w); of equal ones, that of one pixel."""
        gray = after - before
        first, last = zip(*(_ends((np.abs(gray) > _LEAST).any(axis)) for axis in (1, 0)), strict=True)
        part = gray[first[0] : last[0], first[1] : last[1]]
        return cls(part, first[0], first[1], (gray.shape[0], gray.shape[1]))

    def on(self, film: Float32) -> Float32:
        """Return the film (H, W), as it was before it was reduced, with this change."""
        whole = np.zeros(self.size, np.float32)
        rows, columns = self.gray.shape
        whole[self.row : self.row + rows, self.column : self.column + columns] = self.gray
        height, width = film.shape
        enlarged = np.asarray(Image.fromarray(whole).resize((width, height), Image.Resampling.BILINEAR))
        return np.asarray((film + enlarged).clip(0, 1), np.float32)


def _ends(changed: Bools) -> tuple[int, int]:
    """Return the first index that changes, and the one after the last."""
    places = np.flatnonzero(changed)
    return (int(places[0]), int(places[-1]) + 1) if len(places) else (0, 1)
