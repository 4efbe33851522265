"""Orders a metric by finding from head to tail, and measures the gaps between frequency groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.means import Board
from explorer.core.arrays import Floats
from explorer.core.findings import TASKS, FrequencyGroup
from explorer.metrics.bootstrap import percentile_interval

_GAPS = (
    ("common minus very rare", FrequencyGroup.COMMON.value, FrequencyGroup.VERY_RARE.value),
    ("seen minus unseen", "seen findings", "unseen findings"),
)


@dataclass(frozen=True, slots=True, eq=False)
class GroupGap:
    """The mean over one group of findings minus the mean over another, by model, with its 95 % percentile interval.

    Arrays are (models,), NaN if undefined or not yet computed. `findings` are the numbers of findings counted in the
    two means; `fewest` is the number of positives of the rarest one.
    """

    name: str
    findings: tuple[int, int]
    fewest: int
    value: Floats
    low: Floats
    high: Floats


def by_frequency(board: Board) -> tuple[int, ...]:
    """Return the findings' indices from head to tail: by frequency group, then by positives, then by name.

    Ungrouped findings come after grouped ones, and unseen ones (Task 2) come last. Positives alone would mislead in
    cohorts enriched with rare findings.
    """
    groups = list(FrequencyGroup)

    def order(place: int) -> tuple[bool, int, int, str]:
        name = board.findings[place]
        group = board.groups[name]
        rank = len(groups) if group is None else groups.index(group)
        return name in TASKS["unseen"], rank, -board.positives[place], name

    return tuple(sorted(range(len(board.findings)), key=order))


def imbalance(board: Board) -> tuple[float | None, ...]:
    """Return each finding's imbalance: the largest number of positives divided by its own; None without positives."""
    most = max(board.positives, default=0)
    return tuple(most / each if each else None for each in board.positives)


def group_gaps(board: Board, measure: BoardMeasure) -> Iterator[GroupGap]:
    """Yield the gaps between groups that both exist, over the films of all centers."""
    places = {part.name: place for place, part in enumerate(board.parts) if part.center is None}
    for name, one, other in _GAPS:
        if one in places and other in places:
            yield _gap(name, board, measure, places[one], places[other])


def _gap(name: str, board: Board, measure: BoardMeasure, one: int, other: int) -> GroupGap:
    means = board.means[one, measure], board.means[other, measure]
    differences = means[0].samples - means[1].samples
    units = min(each.units for each in means)
    ends = [percentile_interval(differences[:, model], units) for model in range(len(board.models))]
    low, high = np.array(ends).reshape(-1, 2).T
    counted = len(means[0].counted), len(means[1].counted)
    fewest = min(board.fewest(place, measure) for place in (one, other))
    return GroupGap(name, counted, fewest, means[0].point - means[1].point, low, high)
