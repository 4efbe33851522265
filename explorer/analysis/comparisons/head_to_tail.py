"""A metric by finding from the most frequent to the rarest, and what models lose on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import Measure
from explorer.analysis.leaderboard.means import Board
from explorer.core.arrays import Floats
from explorer.core.findings import TASKS, FrequencyGroup
from explorer.metrics.bootstrap import interval

_GAPS = (
    ("common minus very rare", FrequencyGroup.COMMON.value, FrequencyGroup.VERY_RARE.value),
    ("seen minus unseen", "seen findings", "unseen findings"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """The mean of one group of findings minus that of another by model, with the 95 % percentile interval on the same
    resamples; all (models,), NaN where undefined or still to come. `findings` are counted in the two means; `fewest`
    positives has one of either group.
    """

    name: str
    findings: tuple[int, int]
    fewest: int
    value: Floats
    low: Floats
    high: Floats


def by_frequency(board: Board) -> tuple[int, ...]:
    """The places of the findings from head to tail: by frequency group, in it by positives, then by name.

    Findings without a group come after those with one, and unseen ones (Task 2) last. Where rare findings were
    collected on purpose, positives alone would be in another order than nature's.
    """
    groups = list(FrequencyGroup)

    def order(place: int) -> tuple[bool, int, int, str]:
        name = board.findings[place]
        group = board.groups[name]
        rank = len(groups) if group is None else groups.index(group)
        return name in TASKS["unseen"], rank, -board.positives[place], name

    return tuple(sorted(range(len(board.findings)), key=order))


def imbalance(board: Board) -> tuple[float | None, ...]:
    """How many times as many positives the most frequent finding has, by finding; None without positives."""
    most = max(board.positives, default=0)
    return tuple(most / each if each else None for each in board.positives)


def gaps(board: Board, measure: Measure) -> Iterator[Gap]:
    """The gaps whose two groups are both there, over the films of all centers."""
    places = {part.name: place for place, part in enumerate(board.parts) if part.center is None}
    for name, one, other in _GAPS:
        if one in places and other in places:
            yield _gap(name, board, measure, places[one], places[other])


def _gap(name: str, board: Board, measure: Measure, one: int, other: int) -> Gap:
    means = board.means[one, measure], board.means[other, measure]
    less = means[0].samples - means[1].samples
    units = min(each.units for each in means)
    ends = [interval(less[:, model], units) for model in range(len(board.models))]
    low, high = np.array(ends).reshape(-1, 2).T
    counted = len(means[0].counted), len(means[1].counted)
    fewest = min(board.fewest(place, measure) for place in (one, other))
    return Gap(name, counted, fewest, means[0].point - means[1].point, low, high)
