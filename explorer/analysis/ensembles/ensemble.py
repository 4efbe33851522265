"""Models of a cohort as one: the mean of what they say, of equal weight, from what is cached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_metrics import fractions
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, groups_in
from explorer.core.arrays import Floats
from explorer.metrics.calibration_curves import sigmoid
from explorer.runtime.cached_per_owner import remembered
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

Mean = Literal["scores", "logits", "ranks"]
MEANS_OF: tuple[Mean, ...] = get_args(Mean)
_EDGE = 1e-6  # a score of 0 or 1 has no logit: it counts as one this far from it
Scores = NDArray[np.float32]


def combined(scores: Scores, scales: Sequence[float | None], mean: Mean, among: Scores | None = None) -> Scores:
    """One score (n, findings) from 0 to 1 of each film and finding, of scores (models, n, findings).

    `scales` are those of margins, as in `JointScores`. A rank is the share of the films `among` (models, films,
    findings), by default these, that a model scores lower, those of equal score counted half: it needs no common scale,
    and says nothing of probability.
    """
    each = zip(scores.astype(np.float64), scales, strict=True)
    found: Floats
    if mean == "scores":
        found = np.mean([fractions(*one) for one in each], axis=0)
    elif mean == "logits":
        found = sigmoid(np.mean([_logits(*one) for one in each], axis=0))
    else:
        found = np.mean([_ranks(*one) for one in zip(scores, scores if among is None else among, strict=True)], axis=0)
    return np.asarray(found, dtype=np.float32)


def ensemble_scores(store: Store, chosen: Slice, models: Sequence[str], mean: Mean) -> JointScores:
    """The ensemble alone, on the films of a slice that all its members scored, for the findings that all know.

    Ranks are among all such films of the cohort, whatever the slice. It calls nothing: it has no thresholds. Raises
    NoComparison as `joint_scores`.
    """
    joint = joint_scores(store, chosen, models)
    every = Slice(chosen.cohort, models[0])
    among = joint_scores(store, every, models, chosen.label_source).scores if mean == "ranks" else None
    found = combined(joint.scores, joint.scales, mean, among)[None]
    return replace(
        joint, models=(f"mean of {mean}",), scores=found, called=np.full(found.shape, -1, np.int8), scales=(None,)
    )


def ensemble_board(store: Store, chosen: Slice, models: Sequence[str], mean: Mean, *, natural: bool = False) -> Board:
    """The board of the ensemble alone, with points alone: at once. Raises NoComparison, and what the store raises."""
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    return _points(store, chosen, tuple(models), mean, natural, versions)


@remembered(16)
def _points(
    store: Store, chosen: Slice, models: tuple[str, ...], mean: Mean, natural: bool, _versions: tuple[str, ...]
) -> Board:
    joint = ensemble_scores(store, chosen, models, mean)
    return board_of(joint, groups_in(store, chosen, models), 0, 0, natural)


def _logits(scores: Floats, scale: float | None) -> Floats:
    """Logits (n, findings) of scores; of margins, times the model's own scale."""
    if scale is not None:
        return scale * scores
    inside = np.clip(scores, _EDGE, 1 - _EDGE)
    found: Floats = np.log(inside) - np.log1p(-inside)
    return found


def _ranks(scores: Scores, among: Scores) -> Floats:
    """Ranks (n, findings) of one model's scores, from 0 to 1."""
    columns = [
        (np.searchsorted(ordered, column, "left") + np.searchsorted(ordered, column, "right")) / (2 * len(ordered))
        for column, ordered in zip(scores.T, np.sort(among, axis=0).T, strict=True)
    ]
    return np.stack(columns, axis=1)
