"""Bins of equal width for scores from 0 to 1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats


def bin_numbers(scores: Floats, bins: int) -> npt.NDArray[np.intp]:
    """The bin 0 ... bins - 1 of each score in [0, 1], of equal width and closed above: (0, 1 / bins] and so on, 0 in
    the first. Raises ValueError as `bin_edges` does.
    """
    return np.searchsorted(bin_edges(bins)[1:-1], scores, side="left")


def bin_edges(bins: int) -> Floats:
    """The edges 0, 1 / bins, ... 1 (bins + 1,), each the float nearest to its fraction; linspace may be just below it.

    Raises ValueError for anything but a whole number of bins from 1.
    """
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or bins < 1:
        raise ValueError(f"The number of bins must be a whole number of at least 1, not {bins!r}.")
    edges: Floats = np.arange(bins + 1) / bins
    return edges
