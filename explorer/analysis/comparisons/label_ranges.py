"""Mean AUROC of each model whichever way uncertain labels fall, and which models keep their order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.core.arrays import Floats
from explorer.core.findings import TASKS
from explorer.metrics.auroc_ranges import auroc_difference_range, auroc_range, middle_ranks

MAX_ALL_PAIRS = 6  # models; of more, each is compared with the next in order, which decides the whole order


@dataclass(frozen=True, slots=True)
class OrderedPair:
    """A model that is ahead of another on the whole: the lowest and highest difference of their mean AUROC."""

    ahead: str
    behind: str
    low: float
    high: float

    @property
    def keeps(self) -> bool:
        """Whether it is ahead whichever way uncertain labels fall."""
        return self.low > 0


@dataclass(frozen=True, slots=True)
class LabelRanges:
    """Lowest and highest mean AUROC (models,) over all ways in which uncertain labels may fall, on the same films.

    Means are over the `findings` with a film that is surely present and one surely absent. `pairs`, the best models
    first, are all of them, or neighbors in the order of the middles of the ranges.
    """

    models: tuple[str, ...]
    findings: tuple[str, ...]
    uncertain: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    pairs: tuple[OrderedPair, ...]

    @property
    def same_order(self) -> bool:
        """Whether the models have the same order whichever way."""
        return all(pair.keeps for pair in self.pairs)


def label_ranges(absent: JointScores, present: JointScores) -> LabelRanges | None:
    """Return the ranges, from the same scores with uncertain labels counted as absent and as present.

    The findings are the seen ones, or all if none is seen. Each falls by itself, so that the extremes of a mean are the
    means of the extremes. None if no finding has a film that is surely present and one surely absent.
    """
    names = present.findings
    seen = [place for place, name in enumerate(names) if name not in TASKS["unseen"]] or list(range(len(names)))
    ranges, apart, counted, uncertain = [], [], [], 0
    models = len(present.models)
    pairs = list(combinations(range(models), 2)) if models <= MAX_ALL_PAIRS else _neighbors(absent, present, seen)
    for place in seen:
        labels = _open_labels(absent, present, place)
        if not (labels == 1).any() or not (labels == 0).any():
            continue
        there = ~np.isnan(absent.labels[:, place])
        ranks = [middle_ranks(present.scores[model, there, place]) for model in range(models)]
        counted.append(names[place])
        uncertain += int(np.isnan(labels).sum())
        ranges.append([auroc_range(each, labels) for each in ranks])
        apart.append([auroc_difference_range(ranks[one], ranks[other], labels) for one, other in pairs])
    if not counted:
        return None
    low, high = np.mean(ranges, axis=0).T
    ends = np.mean(apart, axis=0).reshape(-1, 2)
    ordered = [_ordered(present.models, pair, *map(float, each)) for pair, each in zip(pairs, ends, strict=True)]
    middle = {name: float(low[place] + high[place]) for place, name in enumerate(present.models)}
    ordered.sort(key=lambda pair: (-middle[pair.ahead], -middle[pair.behind]))
    return LabelRanges(
        present.models, tuple(counted), uncertain, tuple(low.tolist()), tuple(high.tolist()), tuple(ordered)
    )


def _open_labels(absent: JointScores, present: JointScores, place: int) -> Floats:
    """Return the labels of the films that a finding labels: 1, 0, and NaN for uncertain."""
    first, second = absent.labels[:, place], present.labels[:, place]
    there = ~np.isnan(first)
    labels: Floats = np.where(first == second, first, np.nan)[there]
    return labels


def _neighbors(absent: JointScores, present: JointScores, seen: list[int]) -> list[tuple[int, int]]:
    """Return each model with the next, in the order of the middles of their ranges."""
    middles = []
    for place in seen:
        labels, there = _open_labels(absent, present, place), ~np.isnan(absent.labels[:, place])
        middles.append([sum(auroc_range(middle_ranks(row), labels)) for row in present.scores[:, there, place]])
    defined = np.array(middles)[~np.isnan(middles).any(axis=1)]
    order = np.argsort(-defined.mean(axis=0), kind="stable").tolist() if len(defined) else range(len(present.models))
    return list(zip(order, order[1:], strict=False))


def _ordered(models: tuple[str, ...], pair: tuple[int, int], low: float, high: float) -> OrderedPair:
    """Return a pair with the model first whose difference is positive on the whole."""
    one, other = models[pair[0]], models[pair[1]]
    return OrderedPair(one, other, low, high) if low + high >= 0 else OrderedPair(other, one, -high, -low)
