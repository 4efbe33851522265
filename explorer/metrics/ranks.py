"""How sure an order of models is: on resamples that all share, how often each has which rank, and how often the first.

As CXR-LT 2024 tells how stable its ranking of teams is: by resampling the test set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import ROUNDING


@dataclass(frozen=True, slots=True, eq=False)
class RankShares:
    """Shares of the resamples, from 0 to 1; NaN where no resample tells.

    `of_rank` (models, ranks): how often a model has rank 1, 2, ...; those that tie share the better rank. `first`
    (models,): how often it is first, where k models tie for it 1 / k for each, so that they add up to 1. `used` counts
    the resamples in which every model that is compared has a value.
    """

    of_rank: Floats
    first: Floats
    used: int


def ranks(values: Floats, ties: Floats | None = None) -> npt.NDArray[np.int64]:
    """The rank of each model (resamples, models) by its value, the greatest first: 1 + how many are ahead of it.

    Of equal values the greater of `ties` (resamples, models) is ahead; what is equal there too shares a rank. Values
    that differ by rounding alone are equal. A model whose value is NaN is behind all others.
    """
    least = np.nan_to_num(values, nan=-np.inf)
    ahead, equal = _compared(least)
    if ties is not None:
        ahead |= equal & _compared(np.nan_to_num(ties, nan=-np.inf))[0]
    found: npt.NDArray[np.int64] = 1 + ahead.sum(axis=2)
    return found


def rank_shares(values: Floats, ties: Floats | None = None) -> RankShares:
    """The shares of ranks over samples (resamples, models), `ties` as for `ranks`.

    A model that has no value in any resample is not compared: its shares are NaN. Resamples in which another one has
    none are left out.
    """
    models = values.shape[1]
    compared = ~np.isnan(values).all(axis=0) if len(values) else np.zeros(models, dtype=bool)
    used = ~np.isnan(values[:, compared]).any(axis=1)
    of_rank, first = np.full((models, models), np.nan), np.full(models, np.nan)
    if not compared.any() or not used.any():
        return RankShares(of_rank, first, 0)
    found = ranks(values[used][:, compared], None if ties is None else ties[used][:, compared])
    of_rank[compared] = np.stack([(found == rank).mean(axis=0) for rank in range(1, models + 1)], axis=1)
    ahead = found == 1
    first[compared] = (ahead / ahead.sum(axis=1, keepdims=True)).mean(axis=0)
    return RankShares(of_rank, first, int(used.sum()))


def _compared(values: Floats) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Of each model [r, i, j]: is j ahead of i, and are they equal."""
    one, other = values[:, :, None], values[:, None, :]
    with np.errstate(invalid="ignore"):  # -inf less -inf
        less = other - one
    equal = np.where(one == other, True, np.abs(less) <= ROUNDING)
    return (other > one) & ~equal, equal
