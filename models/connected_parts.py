"""Connected components of a mask as boxes, and grouping by pairs. scipy is imported only when needed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """Bounding boxes of a mask's parts: first row and column, those one past the last, pixel count; each (n,)."""

    top: Indices
    left: Indices
    bottom: Indices
    right: Indices
    area: Indices

    @property
    def height(self) -> Indices:
        return self.bottom - self.top

    @property
    def width(self) -> Indices:
        return self.right - self.left

    def __getitem__(self, rows: Indices | NDArray[np.bool_]) -> Components:
        """Select some of the parts."""
        return Components(self.top[rows], self.left[rows], self.bottom[rows], self.right[rows], self.area[rows])

    def transposed(self) -> Components:
        """The parts of the transposed mask, in the same order."""
        return Components(self.left, self.top, self.right, self.bottom, self.area)


def components(mask: NDArray[np.bool_]) -> Components:
    """Return the 8-connected parts of a mask (h, w)."""
    from scipy import ndimage

    labels, _ = ndimage.label(mask, np.ones((3, 3)))
    boxes = [(rows.start, columns.start, rows.stop, columns.stop) for rows, columns in ndimage.find_objects(labels)]
    top, left, bottom, right = np.array(boxes, dtype=np.intp).reshape(-1, 4).T
    return Components(top, left, bottom, right, np.bincount(labels.ravel())[1:])


def group_numbers(one: Indices, other: Indices, count: int) -> Indices:
    """Return group numbers (count,), starting at 0, for `count` items; items `one[i]` and `other[i]` share a group."""
    from scipy.sparse import coo_array, csgraph

    pairs = coo_array((np.ones(len(one)), (one, other)), shape=(count, count))
    groups: Indices = csgraph.connected_components(pairs, directed=False)[1]
    return groups
