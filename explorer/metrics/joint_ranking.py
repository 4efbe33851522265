"""Average precision and AUROC of several models on the same cases, from scores that are sorted once.

A resample only changes how often each case counts. A positive's place 0, 1, 2, ... is the number of positives that
score higher. A negative has the place of the first positive that does not score higher. A resample then needs the
counts summed by place and their running sums; tied scores share a place.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Evaluate, Floats, ratio
from explorer.metrics.case_counts import CaseCounts, CountsMetric, Units, columns_once, computed_once
from explorer.metrics.place_sums import PlaceNumbers, PlaceSums
from explorer.metrics.sorted_cases import SortedCases

_CELLS = 2**17  # numbers per array in a block: a megabyte, which fits the processor's cache

JointEvaluate = Callable[[CaseCounts], Floats]  # -> (metrics, models, findings, resamples), NaN where undefined


@dataclass(frozen=True, slots=True, eq=False)
class JointRanking:
    """One finding ranked by several models; cases with an unknown label have no place.

    `reached` are the cases at a place: at least as high as its positive, but below the previous one. `positives` are
    the positives among them, `tied` the negatives with exactly its score, None if there are none.
    """

    reached: PlaceSums
    positives: PlaceSums
    tied: PlaceSums | None

    @classmethod
    def of(cls, labels: Floats, scores: npt.NDArray[np.floating], units: Units | None = None) -> JointRanking:
        """Rank one finding's labels (n,), with at least one positive, by the scores (models, n) of each model.

        With `units`, it takes counts of units.
        """
        present, absent = labels == 1, labels == 0
        above, same_score = _positives_above(present, scores)
        places = int(present.sum())
        tied = same_score & absent[:, None]
        return cls(
            PlaceSums.of(above, (present | absent)[:, None] & (above < places), places, units=units),
            PlaceSums.of(above, np.broadcast_to(present[:, None], above.shape), places, units=units),
            PlaceSums.of(above, tied, places, units=units) if tied.any() else None,
        )

    def ap_and_auroc(self, counts: CaseCounts, negatives: Floats) -> Floats:
        """Return average precision and AUROC (2, models, resamples); `negatives` (resamples,) counts drawn negatives.

        AP sums over positives the precision at their score, divided by the number of positives. AUROC is the share of
        (positive, negative) pairs in which the positive scores higher, ties counting one half.
        """
        drawn = self.positives.sums(counts.drawn)
        hits, reached = _running(drawn.copy()), _running(self.reached.sums(counts.drawn))
        tied = None if self.tied is None else self.tied.sums(counts.drawn)
        positives = hits[-1].astype(np.float64)
        precision, lost = np.zeros(positives.shape), np.zeros(positives.shape)
        step = max(1, _CELLS // positives.size)
        for some in (slice(start, start + step) for start in range(0, len(drawn), step)):
            each, hit, called = (values[some].astype(np.float64) for values in (drawn, hits, reached))
            beaten_by = called - hit
            if tied is not None:
                beaten_by -= tied[some] / 2
            lost = _added(lost, np.multiply(each, beaten_by, out=beaten_by))
            np.divide(hit, called, out=hit, where=called > 0)  # with no calls there are no hits: 0 stays
            precision = _added(precision, np.multiply(each, hit, out=hit))
        pairs = positives * negatives
        return np.stack([ratio(precision, positives * (negatives > 0)), ratio(pairs - lost, pairs)])


def ranking_metrics_of(labels: Floats, scores: npt.NDArray[np.floating]) -> JointEvaluate:
    """Return AP and AUROC from labels (n, findings) and scores (models, n, findings); NaN with one class."""
    defined = np.flatnonzero((labels == 1).any(axis=0) & (labels == 0).any(axis=0))
    absent = columns_once(lambda: (labels == 0).T.astype(np.float64))
    by_finding = np.ascontiguousarray(np.moveaxis(scores, 2, 0))  # each finding's scores together
    rankings = computed_once(lambda units: [JointRanking.of(labels[:, k], by_finding[k], units) for k in defined])

    def evaluate(counts: CaseCounts) -> Floats:
        values = np.full((2, len(scores), labels.shape[1], counts.floats.shape[1]), np.nan)
        if counts.once:
            for k, model in np.ndindex(len(by_finding), len(scores)):
                values[:, model, k, 0] = SortedCases.of(labels[:, k], by_finding[k, model]).ap_and_auroc()
            return values
        negatives = absent(counts)
        for k, ranking in zip(defined, rankings(counts), strict=True):
            values[:, :, k] = ranking.ap_and_auroc(counts, negatives[k])
        return values

    return evaluate


def ap_and_auroc(labels: Floats, scores: Floats) -> Evaluate:
    """Return average precision and AUROC from labels (n, findings) and scores (models, n, findings).

    For counts (k, n) the result is (k, 2 * models * findings): AP of the first model's findings, of the second's, and
    so on, then AUROC likewise; NaN for a finding with only one class.
    """
    evaluate = ranking_metrics_of(labels, scores)
    return CountsMetric(lambda counts: by_resample(evaluate(counts)).reshape(counts.drawn.shape[1], -1))


def by_resample(values: Floats) -> Floats:
    """Return values (..., resamples) as (resamples, ...)."""
    return np.ascontiguousarray(np.moveaxis(values, -1, 0))


def _running(sums: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Turn sums by place (places, models, resamples) into running sums, in place.

    Blocks of places are summed side by side and then one after the other, which takes fewer steps than place by place.
    """
    length = max(1, math.isqrt(len(sums)))
    whole = len(sums) // length * length
    blocks = sums[:whole].reshape(-1, length, *sums.shape[1:])
    for place in range(1, length):
        blocks[:, place] += blocks[:, place - 1]
    for before, here in pairwise(blocks):
        here += before[-1]
    for place in range(max(whole, 1), len(sums)):
        sums[place] += sums[place - 1]
    return sums


def _added(so_far: Floats, values: Floats) -> Floats:
    """Add values (places, ...) to a sum (...) one by one, so that the block size does not affect rounding."""
    values[0] += so_far
    total: Floats = values.sum(axis=0)
    return total


def _positives_above(
    present: npt.NDArray[np.bool_], scores: npt.NDArray[np.floating]
) -> tuple[PlaceNumbers, npt.NDArray[np.bool_]]:
    """Return how many positives score higher than each case, and whether one has the same score, both (n, models)."""
    rising = np.sort(scores[:, present], axis=1)
    up_to = np.stack([np.searchsorted(of, each, side="right") for of, each in zip(rising, scores, strict=True)])
    same_score = np.take_along_axis(rising, np.maximum(up_to - 1, 0), axis=1) == scores
    above = np.ascontiguousarray((rising.shape[1] - up_to).T, dtype=np.int32)
    return above, np.ascontiguousarray(same_score.T)
