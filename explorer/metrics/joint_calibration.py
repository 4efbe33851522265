"""Calibration error of several models on the same cases: the gaps of score and label summed by bin.

Most scores of a rare finding are in one bin. The cases of a model's fullest bin are not counted by themselves: their
gaps are all gaps less those of the other bins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from explorer.core.arrays import Floats, ratio
from explorer.metrics.bins import bin_numbers
from explorer.metrics.case_counts import CaseCounts
from explorer.metrics.joint_ranking import JointEvaluate
from explorer.metrics.place_sums import PlaceSums


@dataclass(frozen=True, slots=True, eq=False)
class BinnedGaps:
    """Score minus label of one finding by each model: of `every` case (n, models), and by bin all but the fullest."""

    every: Floats
    by_bin: PlaceSums

    @classmethod
    def of(cls, labels: Floats, scores: Floats, bins: int) -> BinnedGaps:
        """Labels (n,), and scores (n, models) in [0, 1]; an unknown label has no gap."""
        known = ~np.isnan(labels)[:, None]
        gaps = np.where(known, scores - labels[:, None], 0)
        places = bin_numbers(scores, bins).astype(np.int32)
        fullest = np.array([np.bincount(place, minlength=bins).argmax() for place in places.T])
        return cls(gaps, PlaceSums.of(places, known & (places != fullest), bins, gaps))

    def summed(self, counts: CaseCounts) -> Floats:
        """The sum over bins of the size of their summed gaps (models, resamples)."""
        by_bin = self.by_bin.sums(counts.floats)
        rest = self.every.T @ counts.floats - by_bin.sum(axis=0)
        found: Floats = np.abs(by_bin, out=by_bin).sum(axis=0) + np.abs(rest)
        return found


def calibration_error(labels: Floats, scores: Floats, bins: int) -> JointEvaluate:
    """ECE (1, models, findings, resamples) from labels (n, findings) and scores (models, n, findings) in [0, 1]."""
    by_finding = np.ascontiguousarray(np.moveaxis(scores, 2, 0).swapaxes(1, 2))
    gaps = [BinnedGaps.of(label, score, bins) for label, score in zip(labels.T, by_finding, strict=True)]
    known = (~np.isnan(labels)).T.astype(np.float64)

    def evaluate(counts: CaseCounts) -> Floats:
        values = np.empty((1, len(scores), len(gaps), counts.floats.shape[1]))
        cases = known @ counts.floats
        for k, each in enumerate(gaps):
            sums = each.summed(counts)
            values[0, :, k] = ratio(sums, np.broadcast_to(cases[k], sums.shape))
        return values

    return evaluate
