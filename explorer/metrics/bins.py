"""Bins of equal width for scores from 0 to 1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats


def bin_numbers(scores: Floats, bins: int) -> npt.NDArray[np.intp]:
    """Return the bin 0 ... bins - 1 of each score in [0, 1]: equal width, closed above, (0, 1 / bins] and so on.

    A score of 0 is in the first bin. Raises ValueError as `bin_edges` does.
    """
    return np.searchsorted(bin_edges(bins)[1:-1], scores, side="left")


def bin_edges(bins: int) -> Floats:
    """Return the edges 0, 1 / bins, ... 1 (bins + 1,), each the nearest float; linspace may be just below it.

    Raises ValueError unless `bins` is an integer of at least 1.
    """
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 1:
        raise ValueError(f"The number of bins must be a whole number of at least 1, not {bins!r}.")
    edges: Floats = np.arange(bins + 1) / bins
    return edges
