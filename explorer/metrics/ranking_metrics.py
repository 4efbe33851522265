"""Average precision and AUROC from presorted scores: what a resample changes is how often each case counts.

Scores are sorted once per finding. For every positive it is kept how many negatives score higher, how many at least as
high, and how many positives at least as high; a resample then needs cumulative counts at these places only. Ties are
kept together by the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Evaluate, Floats, ratio
from explorer.metrics.packed_counts import PackedNumbers, words_of

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Ranking:
    """The cases of one finding whose label is known, by falling score."""

    positives: Places  # (positives,) rows
    negatives: Places  # (negatives,) rows
    higher: Places  # (positives,) negatives that score higher than this positive
    reached: Places  # (positives,) negatives that score at least as high
    hits: Places  # (positives,) positives that score at least as high, less one: where their cumulative sum stands

    @classmethod
    def of(cls, labels: Floats, scores: Floats) -> Ranking:
        """Rank one finding's labels and scores, both (n,)."""
        positives, negatives = _by_falling_score(labels == 1, scores), _by_falling_score(labels == 0, scores)
        up, down = -scores[positives], -scores[negatives]
        return cls(
            positives,
            negatives,
            higher=np.searchsorted(down, up, side="left"),
            reached=np.searchsorted(down, up, side="right"),
            hits=np.searchsorted(up, up, side="right") - 1,
        )


Statistic = Callable[[Ranking, PackedNumbers], Floats]  # -> (fields,)


def average_precision(labels: Floats, scores: Floats) -> Evaluate:
    """Sum over positives of precision at their score, each by its share of all positives."""
    return _evaluate(_average_precision, labels, scores)


def auroc(labels: Floats, scores: Floats) -> Evaluate:
    """The share of pairs (positive, negative) in which the positive scores higher, ties counting one half."""
    return _evaluate(_auroc, labels, scores)


def _average_precision(ranking: Ranking, words: PackedNumbers) -> Floats:
    drawn, negatives = words.of_cases[ranking.positives], _cumulative(words, ranking.negatives)
    hits = np.cumsum(drawn)[ranking.hits]
    precision, called = words.unpack(hits), words.unpack(hits + negatives[ranking.reached])
    np.divide(precision, called, out=precision, where=called > 0)  # where nothing is called nothing is hit: the 0 stays
    counts, both_classes = words.unpack(drawn), words.unpack(negatives[-1:])[:, 0] > 0
    return ratio(np.einsum("rp,rp->r", counts, precision), counts.sum(axis=1) * both_classes)


def _auroc(ranking: Ranking, words: PackedNumbers) -> Floats:
    negatives = _cumulative(words, ranking.negatives)
    counts, all_negatives = words.unpack(words.of_cases[ranking.positives]), words.unpack(negatives[-1:])
    not_beaten = words.unpack(negatives[ranking.higher] + negatives[ranking.reached]) / 2
    pairs_won = np.einsum("rp,rp->r", counts, all_negatives - not_beaten)
    return ratio(pairs_won, counts.sum(axis=1) * all_negatives[:, 0])


def _evaluate(statistic: Statistic, labels: Floats, scores: Floats) -> Evaluate:
    rankings = [Ranking.of(labels[:, k], scores[:, k]) for k in range(labels.shape[1])]

    def evaluate(counts: Counts) -> Floats:
        values = np.full((len(counts), len(rankings)), np.nan)
        start = 0
        for words in words_of(counts):
            rows = slice(start, start + words.fields)
            for k, ranking in enumerate(rankings):
                if len(ranking.positives) and len(ranking.negatives):
                    values[rows, k] = statistic(ranking, words)
            start = rows.stop
        return values

    return evaluate


def _by_falling_score(chosen: npt.NDArray[np.bool_], scores: Floats) -> Places:
    rows = np.flatnonzero(chosen)
    return rows[np.argsort(-scores[rows], kind="stable")]


def _cumulative(words: PackedNumbers, rows: Places) -> npt.NDArray[Any]:
    """Sums (rows + 1,) of the words of the first 0, 1, 2, ... rows."""
    sums = np.empty(len(rows) + 1, dtype=words.of_cases.dtype)
    sums[0] = 0
    np.cumsum(words.of_cases[rows], out=sums[1:])
    return sums
