"""The lowest and highest AUROC over every way in which uncertain labels may fall, exactly, also of a difference.

Ranks of scores do not depend on labels, so that with k uncertain films present, AUROC grows with the sum of their
ranks: the extremes have the k highest or lowest ranks present. Trying every k tries all 2**u ways of u films. For two
models, the same holds of the difference of their ranks.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats


def middle_ranks(scores: npt.ArrayLike) -> Floats:
    """Return the rank of each score (n,) from 1; equal scores share the mean of their ranks."""
    _, places, counts = np.unique(np.asarray(scores), return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def auroc_range(ranks: Floats, labels: npt.ArrayLike) -> tuple[float, float]:
    """Return the lowest and highest AUROC of scores by their `middle_ranks` (n,).

    `labels` (n,) are 1 present, 0 absent, NaN uncertain. NaN unless a film is surely present and one surely absent:
    otherwise some ways have no AUROC.
    """
    return _range(ranks, np.asarray(labels, dtype=np.float64), own=True)


def auroc_difference_range(one: Floats, other: Floats, labels: npt.ArrayLike) -> tuple[float, float]:
    """Return the lowest and highest AUROC of `one` minus that of `other`, both by their ranks; as `auroc_range`."""
    return _range(one - other, np.asarray(labels, dtype=np.float64), own=False)


def _range(values: Floats, labels: Floats, *, own: bool) -> tuple[float, float]:
    """Return the extremes of the sum of values over present films, scaled to AUROC; `own`: values are ranks."""
    present, absent = int((labels == 1).sum()), int((labels == 0).sum())
    if not present or not absent:
        return float("nan"), float("nan")
    known, open_values = float(values[labels == 1].sum()), np.sort(values[np.isnan(labels)])
    more = np.arange(len(open_values) + 1)
    found, lacking = present + more, absent + len(open_values) - more
    least = found * (found + 1) / 2 if own else np.zeros(len(more))
    ends = []
    for ordered in (open_values, open_values[::-1]):
        sums = known + np.concatenate([[0.0], np.cumsum(ordered)])
        ends.append((sums - least) / (found * lacking))
    return float(ends[0].min()), float(ends[1].max())
