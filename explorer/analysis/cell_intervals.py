"""The 95 % intervals of a finding's average precision and score shift: exact bootstrap over whole patients."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.performance_table import ALL, weighted
from explorer.core.arrays import Counts, Floats
from explorer.metrics.bootstrap import Bootstrap, bootstrap
from explorer.metrics.bootstrap import interval as percentile_interval
from explorer.metrics.metrics import average_precision
from explorer.metrics.patient_ids import numbered
from explorer.metrics.resamples import resamples_of

if TYPE_CHECKING:
    from explorer.store.results import Column


@dataclass(frozen=True, slots=True)
class Interval:
    """A number with its interval; `undefined` resamples had one class only and are left out of it.

    `natural` is the same of average precision at natural prevalence: the same resamples, each film times its weight.
    """

    value: float | None
    interval: tuple[float, float] | None
    undefined: int
    natural: Interval | None = None  # None where films have no weights

    @classmethod
    def of(cls, result: Bootstrap) -> Interval:
        """That of the first finding; no interval where every resample is the same: few films look like certainty."""
        value, low, high = (float(each[0]) for each in (result.point, result.low, result.high))
        known = low < high
        return cls(None if np.isnan(value) else value, (low, high) if known else None, int(result.undefined[0]))


def intervals_of(column: Column, centers: tuple[str, ...], resamples: int, seed: int) -> dict[str, Interval]:
    """By center, ALL among them: average precision where there are labels, else the shift of the scores' median.

    Each center is resampled alone, its patients as a whole.
    """
    units, labelled = numbered(column.patient, column.center), ~np.isnan(column.label)
    done = {ALL: _precision(column, labelled, units, resamples, seed)}
    for center in centers:
        here = column.center == center
        if (here & labelled).any():
            done[center] = _precision(column, here & labelled, units, resamples, seed)
        else:
            done[center] = _shift(column.score, here, labelled, units, resamples, seed)
    return done


def _precision(
    column: Column, films: NDArray[np.bool_], units: NDArray[np.int64], resamples: int, seed: int
) -> Interval:
    labels, scores, weights = column.label[films], column.score[films], column.weight[films]
    if len(np.unique(labels)) < 2:
        return Interval(None, None, resamples)
    drawn = partial(bootstrap, labels[:, None], scores[:, None], average_precision, resamples, seed, units[films])
    plain = Interval.of(drawn())
    return replace(plain, natural=Interval.of(drawn(weights))) if weighted(labels, weights) else plain


def _shift(
    scores: NDArray[np.floating],
    here: NDArray[np.bool_],
    there: NDArray[np.bool_],
    units: NDArray[np.int64],
    resamples: int,
    seed: int,
) -> Interval:
    """Difference of the medians, the two sides resampled independently: other films, other patients."""
    if not here.any() or not there.any():
        return Interval(None, None, resamples)
    sides = enumerate((here, there))
    one, other = (_medians(scores[films], units[films], resamples, seed, stream) for stream, films in sides)
    value = float(np.median(scores[here]) - np.median(scores[there]))
    fewest = min(len(np.unique(units[side])) for side in (here, there))
    low, high = percentile_interval(one - other, fewest)
    return Interval(value, (low, high) if low < high else None, 0)


def _medians(
    scores: NDArray[np.floating], units: NDArray[np.int64], resamples: int, seed: int, stream: int
) -> NDArray[np.float64]:
    """The median of each resample (resamples,), with the mean of the middle two of an even number."""
    order = np.argsort(scores, kind="stable")
    ranked = scores[order].astype(np.float64)

    def middle(counts: Counts) -> Floats:
        up_to = counts[:, order].cumsum(axis=1)
        films = up_to[:, -1]
        low, high = ((up_to >= nth[:, None]).argmax(axis=1) for nth in ((films + 1) // 2, films // 2 + 1))
        medians: Floats = (ranked[low] + ranked[high]) / 2
        return medians[:, None]

    drawn = resamples_of(len(scores), resamples, seed, units, None, stream)
    return drawn.evaluate(middle)[:, 0]
