"""Sums counts of cases by place: each of several models assigns a case to one place (a bin or a rank), or to none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from explorer.core.arrays import Floats
from explorer.metrics.case_counts import Units

PlaceNumbers = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class PlaceSums:
    """A sparse matrix of (place, model) by case, or by unit."""

    matrix: scipy.sparse.csc_array  # (places * models, rows of counts)
    places: int

    @classmethod
    def of(
        cls,
        place: PlaceNumbers,
        kept: npt.NDArray[np.bool_],
        places: int,
        values: Floats | None = None,
        units: Units | None = None,
    ) -> PlaceSums:
        """Build it from each case's place 0 ... places - 1 by each model, (n, models). Cases not `kept` have no place.

        `values` are what a case adds each time it is drawn, by default 1. With `units`, it takes counts of units.
        """
        n, models = place.shape
        nonzero = np.flatnonzero(kept)
        rows = (place * np.int32(models) + np.arange(models, dtype=np.int32)).ravel()[nonzero]
        by_case = np.count_nonzero(kept, axis=1)
        added = np.ones(len(nonzero), dtype=np.uint8) if values is None else values.ravel()[nonzero]
        shape = places * models, n
        if units is not None:
            return cls(_by_unit(rows, np.repeat(units.of_case, by_case), added, (shape[0], units.number)), places)
        starts = np.zeros(n + 1, dtype=np.int32)
        np.cumsum(by_case, out=starts[1:])
        return cls(scipy.sparse.csc_array((added, rows, starts), shape=shape), places)

    def sums(self, drawn: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Return sums (places, models, resamples) of counts (rows, resamples), in the type that holds both."""
        found: npt.NDArray[Any] = self.matrix @ drawn
        return found.reshape(self.places, -1, drawn.shape[1])


def _by_unit(
    rows: npt.NDArray[Any], unit: npt.NDArray[np.intp], added: npt.NDArray[Any], shape: tuple[int, int]
) -> scipy.sparse.csc_array:
    """Return the matrix in which cases of one unit at one place are one entry."""
    kind = added.dtype if added.dtype.kind == "f" else np.uint16 if len(rows) < 2**16 else np.uint32
    return scipy.sparse.coo_array((added.astype(kind), (rows, unit.astype(np.int32))), shape=shape).tocsc()
