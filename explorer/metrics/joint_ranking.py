"""Average precision and AUROC of several models on the same cases, from scores that are sorted once.

What a resample changes is how often each case counts. A positive has the place 0, 1, 2, ... : how many positives score
higher than it. A negative counts from the place of the first positive that it is not below. So a resample needs the
counts summed by place, and running sums of these; ties are kept together by the same places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Evaluate, Floats, ratio
from explorer.metrics.case_counts import CaseCounts
from explorer.metrics.place_sums import Places, PlaceSums

_CELLS = 2**17  # numbers of each kind that are worked on at once: a megabyte, which stays near the processor

JointEvaluate = Callable[[CaseCounts], Floats]  # -> (metrics, models, findings, resamples), NaN where undefined


@dataclass(frozen=True, slots=True, eq=False)
class JointRanking:
    """One finding ranked by several models; cases with an unknown label are at no place.

    `reached` are cases that score at least as high as the positive of their place and not as high as the one before;
    `positives` those of them that are positive, `tied` the negatives that score just as high, None where none does.
    """

    reached: PlaceSums
    positives: PlaceSums
    tied: PlaceSums | None

    @classmethod
    def of(cls, labels: Floats, scores: npt.NDArray[np.floating]) -> JointRanking:
        """Rank one finding's labels (n,), some of them positive, by the scores (models, n) of each model."""
        present, absent = labels == 1, labels == 0
        above, at_least = _positives_above(present, scores)
        places = int(present.sum())
        tied = absent[:, None] & (at_least > above)
        return cls(
            PlaceSums.of(above, (present | absent)[:, None] & (above < places), places),
            PlaceSums.of(above, np.broadcast_to(present[:, None], above.shape), places),
            PlaceSums.of(above, tied, places) if tied.any() else None,
        )

    def both(self, counts: CaseCounts, negatives: Floats) -> Floats:
        """Average precision and AUROC (2, models, resamples); `negatives` (resamples,) says how many are drawn.

        AP is the sum over positives of the precision at their score, each by its share of all positives. AUROC is the
        share of pairs (positive, negative) in which the positive scores higher, ties counting one half.
        """
        drawn = self.positives.sums(counts.by_case)
        hits, reached = _running(drawn.copy()), _running(self.reached.sums(counts.by_case))
        tied = None if self.tied is None else self.tied.sums(counts.by_case)
        positives = hits[-1].astype(np.float64)
        precision, lost = np.zeros(positives.shape), np.zeros(positives.shape)
        step = max(1, _CELLS // positives.size)
        for some in (slice(start, start + step) for start in range(0, len(drawn), step)):
            each, hit, called = (values[some].astype(np.float64) for values in (drawn, hits, reached))
            beaten_by = called - hit
            if tied is not None:
                beaten_by -= tied[some] / 2
            lost = _added(lost, np.multiply(each, beaten_by, out=beaten_by))
            np.divide(hit, called, out=hit, where=called > 0)  # where nothing is called nothing is hit: the 0 stays
            precision = _added(precision, np.multiply(each, hit, out=hit))
        pairs = positives * negatives
        return np.stack([ratio(precision, positives * (negatives > 0)), ratio(pairs - lost, pairs)])


def ranked(labels: Floats, scores: npt.NDArray[np.floating]) -> JointEvaluate:
    """Average precision and AUROC from labels (n, findings) and scores (models, n, findings); NaN with one class."""
    findings = range(labels.shape[1])
    both_classes = (labels == 1).any(axis=0) & (labels == 0).any(axis=0)
    by_finding = np.ascontiguousarray(np.moveaxis(scores, 2, 0))
    rankings = {k: JointRanking.of(labels[:, k], by_finding[k]) for k in findings if both_classes[k]}
    absent = (labels == 0).T.astype(np.float64)

    def evaluate(counts: CaseCounts) -> Floats:
        values = np.full((2, len(scores), len(absent), counts.floats.shape[1]), np.nan)
        negatives = absent @ counts.floats
        for k, ranking in rankings.items():
            values[:, :, k] = ranking.both(counts, negatives[k])
        return values

    return evaluate


def both(labels: Floats, scores: Floats) -> Evaluate:
    """Average precision and AUROC from labels (n, findings) and scores (models, n, findings).

    Asked for counts (k, n) it answers (k, 2 * models * findings): AP of the first model's findings, of the second's,
    and so on, then AUROC alike; NaN for a finding with one class only.
    """
    evaluate = ranked(labels, scores)
    return lambda counts: by_resample(evaluate(CaseCounts.of(counts))).reshape(len(counts), -1)


def by_resample(values: Floats) -> Floats:
    """Values (..., resamples) as (resamples, ...)."""
    return np.ascontiguousarray(np.moveaxis(values, -1, 0))


def _running(sums: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Sums by place (places, models, resamples) made into those of all places up to each, in place."""
    for before, here in zip(sums, sums[1:], strict=False):
        np.add(before, here, out=here)
    return sums


def _added(so_far: Floats, values: Floats) -> Floats:
    """Values (places, ...) added to a sum (...) one after the other, so that it does not matter how many come at once."""
    values[0] += so_far
    total: Floats = values.sum(axis=0)
    return total


def _positives_above(present: npt.NDArray[np.bool_], scores: npt.NDArray[np.floating]) -> tuple[Places, Places]:
    """How many positives score higher than each case, and how many at least as high, both (n, models)."""
    order, first = _falling(scores)
    hit = present[order]
    reached = np.cumsum(hit, axis=1, dtype=np.int32)
    above = reached - hit
    if first.all():
        return _of_case(order, above), _of_case(order, reached)
    above = np.maximum.accumulate(np.where(first, above, 0), axis=1)
    last = np.append(first[:, 1:], np.ones((len(first), 1), dtype=bool), axis=1)
    ends = np.where(last, reached, np.iinfo(np.int32).max)
    return _of_case(order, above), _of_case(order, np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1])


def _of_case(order: npt.NDArray[np.integer], values: Places) -> Places:
    """Values (models, n) of cases in this order as (n, models) of the cases as they are."""
    models, n = order.shape
    found = np.empty(n * models, dtype=np.int32)
    found[order * models + np.arange(models)[:, None]] = values
    return found.reshape(n, models)


def _falling(scores: npt.NDArray[np.floating]) -> tuple[npt.NDArray[np.integer], npt.NDArray[np.bool_]]:
    """Cases (models, n) by falling score, and which of them are the first with their score."""
    first = np.ones(scores.shape, dtype=bool)
    if scores.dtype == np.float32:
        keys = _keys(scores)
        keys.sort(axis=1)
        order = (keys & np.uint64(2**32 - 1)).astype(np.int64)
        falling = keys >> np.uint64(32)
    else:
        order = np.argsort(-scores, axis=1)
        falling = np.take_along_axis(scores, order, axis=1)
    np.not_equal(falling[:, 1:], falling[:, :-1], out=first[:, 1:])
    return order, first


def _keys(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.uint64]:
    """Numbers (models, n) that rise as scores fall, the case in their lower half: sorting these is the faster."""
    bits = (scores + np.float32(0)).view(np.uint32)  # of 0 and -0 those of 0
    negative = bits >> np.uint32(31) == 1
    falling = np.where(negative, bits, ~bits & np.uint32(2**31 - 1))
    return falling.astype(np.uint64) << np.uint64(32) | np.arange(scores.shape[1], dtype=np.uint64)
