"""Counts of cases summed by place: each of several models puts a case at one place, a bin or a rank, or at none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csc_array

from explorer.core.arrays import Floats

Places = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PlaceSums:
    """A sparse matrix of places of models by cases; the cases of a place are added in their order."""

    matrix: csc_array  # (places * models, n)
    places: int

    @classmethod
    def of(cls, place: Places, kept: npt.NDArray[np.bool_], places: int, values: Floats | None = None) -> PlaceSums:
        """The place 0 ... places - 1 of each case by each model, all (n, models). What is not `kept` is at no place.

        `values` are what a case adds each time it is drawn, 1 unless they are given.
        """
        n, models = place.shape
        there = np.flatnonzero(kept)
        rows = (place * np.int32(models) + np.arange(models, dtype=np.int32)).ravel()[there]
        starts = np.zeros(n + 1, dtype=np.int32)
        np.cumsum(np.count_nonzero(kept, axis=1), out=starts[1:])
        added = np.ones(len(there), dtype=np.uint8) if values is None else values.ravel()[there]
        return cls(csc_array((added, rows, starts), shape=(places * models, n)), places)

    def sums(self, by_case: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The sums (places, models, resamples) of counts (n, resamples), in the type that holds both."""
        found: npt.NDArray[Any] = self.matrix @ by_case
        return found.reshape(self.places, -1, by_case.shape[1])
