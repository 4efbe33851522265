"""The challenge's six metrics, oriented so that larger is better: 1 - ECE replaces ECE (CXR-LT 2026, Figure 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, LOWER_IS_BETTER, BoardMeasure
from explorer.analysis.leaderboard.means import Board
from explorer.analysis.leaderboard.report import MEAN_NAMES
from explorer.core.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class OrientedMean:
    """A mean by model with its 95 % interval, all (models,); larger is better, NaN if undefined or not yet computed.

    It is over `counted` findings; the rarest of them has `fewest` positives.
    """

    name: str
    counted: int
    fewest: int
    value: Floats
    low: Floats
    high: Floats


def six_metrics(board: Board, part: int) -> Iterator[OrientedMean]:
    """Yield the six means of the part with this index, in the order of `BOARD_MEASURES`."""
    return (_upward(board, part, measure) for measure in BOARD_MEASURES)


def _upward(board: Board, part: int, measure: BoardMeasure) -> OrientedMean:
    means = board.means[part, measure]
    ends = [means.interval(model) or (np.nan, np.nan) for model in range(len(board.models))]
    low, high = np.array(ends).reshape(-1, 2).T
    counts = len(means.counted), board.fewest(part, measure)
    if measure in LOWER_IS_BETTER:
        return OrientedMean(f"1 \N{MINUS SIGN} {MEAN_NAMES[measure]}", *counts, 1 - means.point, 1 - high, 1 - low)
    return OrientedMean(MEAN_NAMES[measure], *counts, means.point, low, high)
