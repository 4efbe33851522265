"""Connected parts of a mask, found from its runs: needs numpy alone, and is quick where few pixels are set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Boxes of parts of a mask: first row and column, the row and column behind the last, and pixels; each (n,)."""

    top: Ints
    left: Ints
    bottom: Ints
    right: Ints
    area: Ints

    @property
    def height(self) -> Ints:
        return self.bottom - self.top

    @property
    def width(self) -> Ints:
        return self.right - self.left

    def __getitem__(self, rows: Ints | NDArray[np.bool_]) -> Components:
        """Some of the parts."""
        return Components(self.top[rows], self.left[rows], self.bottom[rows], self.right[rows], self.area[rows])

    def transposed(self) -> Components:
        """The parts of the transposed mask, in the same order."""
        return Components(self.left, self.top, self.right, self.bottom, self.area)


def components(mask: NDArray[np.bool_]) -> Components:
    """The 8-connected parts of a mask (h, w)."""
    width = mask.shape[1] + 2
    padded = np.zeros((mask.shape[0], width), dtype=np.int8)
    padded[:, 1:-1] = mask
    # A run starts where the row steps up and ends where it steps down; both as places in the flattened, padded mask.
    steps = np.diff(padded.ravel())
    start, end = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    part = joined(*_touching(start, end, width), len(start))
    count = int(part.max()) + 1 if len(part) else 0
    row, left = start // width, start % width
    right = left + end - start
    top, bottom = np.full(count, mask.shape[0]), np.zeros(count, dtype=np.intp)
    first, last, area = np.full(count, mask.shape[1]), np.zeros(count, dtype=np.intp), np.zeros(count, dtype=np.intp)
    np.minimum.at(top, part, row)
    np.maximum.at(bottom, part, row + 1)
    np.minimum.at(first, part, left)
    np.maximum.at(last, part, right)
    np.add.at(area, part, end - start)
    return Components(top, first, bottom, last, area)


def joined(one: Ints, other: Ints, count: int) -> Ints:
    """The group (count,), numbered from 0, of each of `count` things of which `one[i]` and `other[i]` belong together.

    Each takes the lowest label of its pairs, and that label's own, until none changes.
    """
    labels = np.arange(count)
    while True:
        before = labels.copy()
        lowest = np.minimum(labels[one], labels[other])
        np.minimum.at(labels, one, lowest)
        np.minimum.at(labels, other, lowest)
        labels = labels[labels]
        if np.array_equal(labels, before):
            return np.unique(labels, return_inverse=True)[1]


def _touching(start: Ints, end: Ints, width: int) -> tuple[Ints, Ints]:
    """Pairs of runs, one row apart, that share an edge or a corner."""
    first = np.searchsorted(end, start + width, "left")
    behind = np.searchsorted(start, end + width, "right")
    counts = np.maximum(behind - first, 0)
    above = np.repeat(np.arange(len(start)), counts)
    nth = np.arange(len(above)) - np.repeat(np.cumsum(counts) - counts, counts)
    return above, first[above] + nth
