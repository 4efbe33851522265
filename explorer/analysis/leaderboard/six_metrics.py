"""The challenge's six metrics of a group of findings, larger is better: 1 - ECE for ECE (CXR-LT 2026, Figure 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import MEASURES, SMALL_IS_GOOD, Measure
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.report import MEANS
from explorer.core.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class UpwardMean:
    """A mean by model with its 95 % interval, all (models,), of which more is better; NaN where undefined or still to
    come. `counted` findings are in it, the rarest with `fewest` positives.
    """

    name: str
    counted: int
    fewest: int
    value: Floats
    low: Floats
    high: Floats


def six_metrics(board: Board, part: int) -> Iterator[UpwardMean]:
    """The six means of a part, by its place, in the order of `MEASURES`."""
    return (_upward(board, part, measure) for measure in MEASURES)


def _upward(board: Board, part: int, measure: Measure) -> UpwardMean:
    means = board.means[part, measure]
    ends = [means.interval(model) or (np.nan, np.nan) for model in range(len(board.models))]
    low, high = np.array(ends).reshape(-1, 2).T
    counts = len(means.counted), board.fewest(part, measure)
    if measure in SMALL_IS_GOOD:
        return UpwardMean(f"1 \N{MINUS SIGN} {MEANS[measure]}", *counts, 1 - means.point, 1 - high, 1 - low)
    return UpwardMean(MEANS[measure], *counts, means.point, low, high)
