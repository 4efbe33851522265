"""Metrics of original cases, each counted once: AP, AUROC and calibration error from sorted scores, and calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats
from explorer.metrics.bins import bin_edges

Scores = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class LabeledCases:
    """One finding's labels, prepared once for the scores of many models."""

    known: npt.NDArray[np.bool_] | None  # (n,); None: all are known
    present: npt.NDArray[np.intp]  # indices of the positives

    @classmethod
    def of(cls, labels: npt.NDArray[np.floating | np.integer]) -> LabeledCases:
        """Prepare labels (n,): 1 present, 0 absent, NaN or -1 unknown."""
        known = labels >= 0
        return cls(None if known.all() else known, np.flatnonzero(labels == 1))

    def sorted(self, scores: Scores) -> SortedCases:
        """Sort the scores (n,) of one model."""
        return SortedCases(np.sort(self._of_known(scores)), np.sort(scores[self.present]))

    def hits_and_false_alarms(self, called: npt.NDArray[np.bool_]) -> tuple[int, int]:
        """Count a model's calls (n,) of positives and of negatives."""
        hits = int(np.count_nonzero(called[self.present]))
        return hits, int(np.count_nonzero(self._of_known(called))) - hits

    def _of_known(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return values if self.known is None else values[self.known]


@dataclass(frozen=True, slots=True, eq=False)
class SortedCases:
    """One finding's scores by one model in ascending order: of all cases with a known label, and of the positives."""

    every: Scores
    present: Scores

    @classmethod
    def of(cls, labels: Floats, scores: Scores) -> SortedCases:
        """Sort scores (n,) with labels (n,)."""
        return LabeledCases.of(labels).sorted(scores)

    def ap_and_auroc(self) -> tuple[float, float]:
        """Return average precision and AUROC, ties counting one half; NaN with one class."""
        positives, negatives = len(self.present), len(self.every) - len(self.present)
        if not positives or not negatives:
            return np.nan, np.nan
        missed = np.flatnonzero(np.diff(self.present, prepend=np.nan) != 0)  # positives below each distinct score
        values, missed_or_tied = self.present[missed], np.append(missed[1:], positives)
        each = missed_or_tied - missed
        lower = np.searchsorted(self.every, values)
        up_to = lower + each  # where no negative has the same score
        tied = np.flatnonzero(self.every[np.minimum(up_to, len(self.every) - 1)] == values)
        up_to[tied] = np.searchsorted(self.every, values[tied], side="right")
        precision = (positives - missed) / (len(self.every) - lower)
        beaten = int((each * (lower + up_to - missed - missed_or_tied)).sum())  # negatives, each counted twice
        return float((each * precision).sum() / positives), beaten / (2 * positives * negatives)

    def calibration_error(self, bins: int, as_fractions: Callable[[Scores], Scores]) -> float:
        """Return ECE of scores that `as_fractions`, which keeps their order, maps to [0, 1]; NaN without cases."""
        if not len(self.every):
            return np.nan
        every, present = as_fractions(self.every), as_fractions(self.present)
        edges = bin_edges(bins)[1:-1]
        ends = [0, *np.searchsorted(every, edges, side="right").tolist(), len(every)]
        positives = np.diff(np.searchsorted(present, edges, side="right"), prepend=0, append=len(present))
        sums = np.array([every[start:end].sum(dtype=np.float64) for start, end in pairwise(ends)])
        return float(np.abs(sums - positives).sum() / len(every))
