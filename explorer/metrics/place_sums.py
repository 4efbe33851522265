"""Sums counts of cases by place: each of several models assigns a case to one place (a bin or a rank), or to none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from explorer.core.arrays import Floats

PlaceNumbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PlaceSums:
    """A sparse matrix of (place, model) by case; the cases of a place are added in order."""

    matrix: scipy.sparse.csc_array  # (places * models, n)
    places: int

    @classmethod
    def of(
        cls, place: PlaceNumbers, kept: npt.NDArray[np.bool_], places: int, values: Floats | None = None
    ) -> PlaceSums:
        """Build it from each case's place 0 ... places - 1 by each model, (n, models). Cases not `kept` have no place.

        `values` are what a case adds each time it is drawn, by default 1.
        """
        n, models = place.shape
        nonzero = np.flatnonzero(kept)
        rows = (place * np.int32(models) + np.arange(models, dtype=np.int32)).ravel()[nonzero]
        starts = np.zeros(n + 1, dtype=np.int32)
        np.cumsum(np.count_nonzero(kept, axis=1), out=starts[1:])
        added = np.ones(len(nonzero), dtype=np.uint8) if values is None else values.ravel()[nonzero]
        return cls(scipy.sparse.csc_array((added, rows, starts), shape=(places * models, n)), places)

    def sums(self, by_case: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return sums (places, models, resamples) of counts (n, resamples), in the type that holds both."""
        found: npt.NDArray[Any] = self.matrix @ by_case
        return found.reshape(self.places, -1, by_case.shape[1])
