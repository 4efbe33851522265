"""How certain a ranking of models is: how often each model has each rank on shared resamples, and the first.

CXR-LT 2024 reports the stability of its team ranking in the same way, by resampling the test set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import ROUNDING


@dataclass(frozen=True, slots=True, eq=False)
class RankShares:
    """Shares of the resamples, from 0 to 1; NaN if no resample is usable.

    `of_rank` (models, ranks): how often a model has rank 1, 2, ...; tied models share the better rank. `first`
    (models,): how often it ranks first, counting 1 / k if k models tie, so that the shares sum to 1. `used` counts the
    resamples in which every compared model has a value.
    """

    of_rank: Floats
    first: Floats
    used: int


def ranks(values: Floats, ties: Floats | None = None) -> npt.NDArray[np.int64]:
    """Return the rank of each model (resamples, models) by its value, greatest first: 1 + the number of models ahead.

    If values are equal, the model with the greater `ties` (resamples, models) is ahead; if these are equal too, the
    rank is shared. Values within rounding are equal. NaN ranks last.
    """
    least = np.nan_to_num(values, nan=-np.inf)
    ahead, equal = _compared(least)
    if ties is not None:
        ahead |= equal & _compared(np.nan_to_num(ties, nan=-np.inf))[0]
    found: npt.NDArray[np.int64] = 1 + ahead.sum(axis=2)
    return found


def rank_shares(values: Floats, ties: Floats | None = None) -> RankShares:
    """Return the shares of ranks over samples (resamples, models), `ties` as for `ranks`.

    A model without a value in any resample is not compared, and its shares are NaN. Resamples in which another model
    has no value are left out.
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
    """Return, for each pair of models [r, i, j], whether j is ahead of i, and whether they are equal."""
    one, other = values[:, :, None], values[:, None, :]
    with np.errstate(invalid="ignore"):  # -inf minus -inf
        less = other - one
    equal = np.where(one == other, True, np.abs(less) <= ROUNDING)
    return (other > one) & ~equal, equal
