"""Calibration error of several models on the same cases: differences between score and label, summed by bin.

Most scores of a rare finding fall into one bin. The sum of a model's fullest bin is not computed directly: it is the
sum over all cases minus the other bins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats, ratio
from explorer.metrics.bins import bin_numbers
from explorer.metrics.case_counts import CaseCounts, Units, columns_once, computed_once
from explorer.metrics.joint_ranking import JointEvaluate
from explorer.metrics.place_sums import PlaceSums
from explorer.metrics.sorted_cases import SortedCases


@dataclass(frozen=True, slots=True, eq=False)
class BinnedGaps:
    """Score minus label of one finding by model: over each row of counts (models, rows), and by bin but the fullest."""

    every: Floats
    by_bin: PlaceSums

    @classmethod
    def of(cls, labels: Floats, scores: npt.NDArray[np.floating], bins: int, units: Units | None = None) -> BinnedGaps:
        """Bin labels (n,) and scores (models, n) in [0, 1]; an unknown label contributes nothing.

        With `units`, it takes counts of units.
        """
        by_case = np.ascontiguousarray(scores.T, dtype=np.float64)
        gaps = np.where(np.isnan(labels)[:, None], 0, by_case - labels[:, None])
        places = bin_numbers(by_case, bins).astype(np.int32)
        shares = np.stack([np.bincount(column, minlength=bins) for column in places.T], axis=1)
        kept = ~np.isnan(labels)[:, None] & (places != shares.argmax(axis=0))
        every = gaps.T if units is None else units.summed(gaps.T)
        return cls(every, PlaceSums.of(places, kept, bins, gaps, units))

    def absolute_sums(self, counts: CaseCounts) -> Floats:
        """Return the sum over bins of the absolute summed gaps (models, resamples)."""
        by_bin = self.by_bin.sums(counts.floats)
        rest = self.every @ counts.floats - by_bin.sum(axis=0)
        found: Floats = np.abs(by_bin, out=by_bin).sum(axis=0) + np.abs(rest)
        return found


def calibration_error(labels: Floats, scores: npt.NDArray[np.floating], bins: int) -> JointEvaluate:
    """Return ECE (1, models, findings, resamples) from labels (n, findings), scores (models, n, findings)."""
    findings = range(labels.shape[1])
    gaps = computed_once(lambda units: [BinnedGaps.of(labels[:, k], scores[:, :, k], bins, units) for k in findings])
    known = columns_once(lambda: (~np.isnan(labels)).T.astype(np.float64))

    def evaluate(counts: CaseCounts) -> Floats:
        values = np.empty((1, len(scores), len(findings), counts.floats.shape[1]))
        if counts.once:
            for model, k in np.ndindex(len(scores), len(findings)):
                cases = SortedCases.of(labels[:, k], scores[model, :, k])
                values[0, model, k] = cases.calibration_error(bins, lambda fractions: fractions)
            return values
        drawn = known(counts)
        for k in findings:
            sums = gaps(counts)[k].absolute_sums(counts)
            values[0, :, k] = ratio(sums, np.broadcast_to(drawn[k], sums.shape))
        return values

    return evaluate
