"""Agreement with n and a 95 % interval: among all raters, within pairs, and of each rater with a majority."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from explorer.metrics.agreement import (
    PRESENCE,
    AgreementMeasure,
    cohen_kappa,
    majority_of_all,
    majority_of_others,
    rating_indicators,
)
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.resamples import resamples_of

Majority = Literal["others", "all"]


@dataclass(frozen=True, slots=True)
class Agreement:
    """A measure of agreement over `n` cases with two ratings or more; `left_out` cases have fewer.

    `value` is None if the measure is undefined. `interval` (low, high) is None if it is undefined in every resample, or
    if all ratings are of one unit (one case, one patient); it leaves out `undefined` resamples. If all raters agree on
    every case, so does every resample, and the interval is [1, 1] for any number of cases: read it together with n.
    """

    value: float | None
    interval: tuple[float, float] | None
    n: int
    left_out: int
    undefined: int


def agreement(
    measure: AgreementMeasure,
    ratings: ArrayLike,
    categories: Sequence[float] = PRESENCE,
    *,
    resamples: int = 1000,
    seed: int = 0,
    unit: ArrayLike | None = None,
) -> Agreement:
    """Return a measure of agreement for ratings (n, raters), NaN not rated, with a percentile bootstrap interval.

    Resample r draws `default_rng([seed, r]).integers(0, n, n)` cases, or as many whole units, such as patients, if
    `unit` (n,) names them. Raises ValueError without cases, and for ratings that the measure rejects.
    """
    given = np.asarray(ratings, dtype=np.float64)
    value = float(measure(given, categories))
    paired = rating_indicators(given, categories).sum((1, 2)) >= 2
    drawn = resamples_of(len(given), resamples, seed, unit, None)
    samples = drawn.evaluate(lambda counts: measure(given, categories, counts)[:, None])[:, 0]
    undefined = int(np.isnan(samples).sum())
    low, high = percentile_interval(samples, int(drawn.units_with(paired[:, None])[0]))
    return Agreement(
        value=None if np.isnan(value) else value,
        interval=None if np.isnan(low) else (low, high),
        n=int(paired.sum()),
        left_out=int((~paired).sum()),
        undefined=undefined,
    )


def pairwise(
    ratings: ArrayLike,
    categories: Sequence[float] = PRESENCE,
    *,
    measure: AgreementMeasure = cohen_kappa,
    resamples: int = 1000,
    seed: int = 0,
    unit: ArrayLike | None = None,
) -> Mapping[tuple[int, int], Agreement]:
    """Return the agreement of every pair of raters, by column indices; arguments as in `agreement`."""
    given = np.asarray(ratings, dtype=np.float64)
    rating_indicators(given, categories)  # raises unless ratings are (n, raters)
    return {
        (i, j): agreement(measure, given[:, [i, j]], categories, resamples=resamples, seed=seed, unit=unit)
        for i, j in combinations(range(given.shape[1]), 2)
    }


def against_majority(
    ratings: ArrayLike,
    categories: Sequence[float] = PRESENCE,
    *,
    majority: Majority = "others",
    measure: AgreementMeasure = cohen_kappa,
    resamples: int = 1000,
    seed: int = 0,
    unit: ArrayLike | None = None,
) -> tuple[Agreement, ...]:
    """Return the agreement of each rater with a majority; the other arguments as in `agreement`.

    "others": of the other raters, so that no rater is compared with their own vote. "all": of all raters, including the
    one compared, as many papers report it; it is higher, especially with few raters, because each vote helps its own
    side. Cases on which the majority ties are left out and counted in `left_out`: with an even number of voters (an odd
    number of raters for "others"), easy cases are over-represented, so read the result together with `left_out`.
    """
    given = np.asarray(ratings, dtype=np.float64)
    voted = (majority_of_others if majority == "others" else majority_of_all)(given, categories)
    return tuple(
        agreement(
            measure,
            np.stack([given[:, rater], voted[:, rater]], axis=1),
            categories,
            resamples=resamples,
            seed=seed,
            unit=unit,
        )
        for rater in range(given.shape[1])
    )
