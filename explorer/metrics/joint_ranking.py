"""Average precision and AUROC of several models on the same cases, both in one pass over each resample.

The same numbers as `ranking_metrics`, by the same presorted scores. Models share their labels, so a finding has as many
positives for one as for another, and all models of a finding are one array.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Counts, Evaluate, Floats, ratio
from explorer.metrics.packed_counts import PackedNumbers, words_of
from explorer.metrics.ranking_metrics import Ranking

Places = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class JointRanking:
    """`Ranking` of one finding by several models; places are those in the flattened (models, ...) arrays."""

    positives: Places  # (models, positives) rows
    negatives: Places  # (models, negatives) rows
    higher: Places  # (models, positives)
    reached: Places  # (models, positives)
    hits: Places  # (models, positives)

    @classmethod
    def of(cls, labels: Floats, scores: Floats) -> JointRanking:
        """Rank one finding's labels (n,) by the scores (models, n) of each model."""
        each = [Ranking.of(labels, of_model) for of_model in scores]
        sums = len(each[0].negatives) + 1  # of the first 0, 1, ... negatives
        step = np.arange(len(each))[:, None]
        return cls(
            positives=np.stack([one.positives for one in each]),
            negatives=np.stack([one.negatives for one in each]),
            higher=np.stack([one.higher for one in each]) + step * sums,
            reached=np.stack([one.reached for one in each]) + step * sums,
            hits=np.stack([one.hits for one in each]) + step * len(each[0].positives),
        )


def both(labels: Floats, scores: Floats) -> Evaluate:
    """Average precision and AUROC from labels (n, findings) and scores (models, n, findings).

    Asked for counts (k, n) it answers (k, 2 * models * findings): AP of the first model's findings, of the second's,
    and so on, then AUROC alike; NaN for a finding with one class only.
    """
    models, findings = len(scores), labels.shape[1]
    rankings = [JointRanking.of(labels[:, k], scores[:, :, k]) for k in range(findings)]

    def evaluate(counts: Counts) -> Floats:
        values = np.full((len(counts), 2, models, findings), np.nan)
        start = 0
        for words in words_of(counts):
            rows = slice(start, start + words.fields)
            for k, ranking in enumerate(rankings):
                if ranking.positives.size and ranking.negatives.size:
                    values[rows, :, :, k] = _both(ranking, words)
            start = rows.stop
        return values.reshape(len(counts), -1)

    return evaluate


def _both(ranking: JointRanking, words: PackedNumbers) -> Floats:
    """Both metrics (fields, 2, models) of one finding in the resamples that share a word."""
    drawn = words.of_cases[ranking.positives]
    negatives = _cumulative(words, ranking.negatives)
    hits = np.cumsum(drawn, axis=1).ravel()[ranking.hits]
    reached = negatives[ranking.reached]
    counts, precision = _unpacked(words, drawn), _unpacked(words, hits)
    called, not_beaten = _unpacked(words, hits + reached), _unpacked(words, negatives[ranking.higher] + reached) / 2
    all_negatives = _unpacked(words, negatives.reshape(len(drawn), -1)[:, -1:])[:, :, 0]
    np.divide(precision, called, out=precision, where=called > 0)  # where nothing is called nothing is hit: the 0 stays
    positives = counts.sum(axis=2)
    values = np.empty((words.fields, 2, len(drawn)))
    values[:, 0] = ratio(np.einsum("rmp,rmp->rm", counts, precision), positives * (all_negatives > 0))
    won = np.einsum("rmp,rmp->rm", counts, all_negatives[:, :, None] - not_beaten)
    values[:, 1] = ratio(won, positives * all_negatives)
    return values


def _cumulative(words: PackedNumbers, rows: Places) -> npt.NDArray[Any]:
    """Sums of the words of the first 0, 1, 2, ... rows of each model (models, rows), flattened."""
    sums = np.zeros((len(rows), rows.shape[1] + 1), dtype=words.of_cases.dtype)
    np.cumsum(words.of_cases[rows], axis=1, out=sums[:, 1:])
    return sums.ravel()


def _unpacked(words: PackedNumbers, sums: npt.NDArray[Any]) -> Floats:
    """Sums (models, m) as those of each resample (fields, models, m)."""
    return words.unpack(sums.ravel()).reshape(words.fields, *sums.shape)
