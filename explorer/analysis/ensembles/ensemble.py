"""Averages cached scores of several models of a cohort with equal weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from explorer.analysis.leaderboard.joint_metrics import as_probabilities
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, slice_groups
from explorer.core.arrays import Floats
from explorer.metrics.calibration_curves import sigmoid
from explorer.runtime.cached_per_owner import cached_per_owner
from explorer.store.slices import Slice

if TYPE_CHECKING:
    from explorer.store.store import Store

MeanKind = Literal["scores", "logits", "ranks"]
MEAN_KINDS: tuple[MeanKind, ...] = get_args(MeanKind)
_EDGE = 1e-6  # scores of 0 and 1 have no finite logit, so they are moved inward by this much
ScoreArray = NDArray[np.float32]


def combine_scores(
    scores: ScoreArray, scales: Sequence[float | None], mean: MeanKind, among: ScoreArray | None = None
) -> ScoreArray:
    """Return one score in [0, 1] per film and finding, (n, findings), from scores (models, n, findings).

    `scales` convert margins to logits, as in `JointScores`. A rank is the share of the films in `among` (models, films,
    findings), by default the same films, that have a lower score, with ties counted half. Ranks need no common scale
    and are not probabilities.
    """
    each = zip(scores.astype(np.float64), scales, strict=True)
    found: Floats
    if mean == "scores":
        found = np.mean([as_probabilities(*one) for one in each], axis=0)
    elif mean == "logits":
        found = sigmoid(np.mean([_logits(*one) for one in each], axis=0))
    else:
        found = np.mean([_ranks(*one) for one in zip(scores, scores if among is None else among, strict=True)], axis=0)
    return np.asarray(found, dtype=np.float32)


def ensemble_scores(store: Store, chosen: Slice, models: Sequence[str], mean: MeanKind) -> JointScores:
    """Return the ensemble's scores on the slice's films and findings that all members scored.

    Ranks refer to all such films of the cohort, not only the slice's. Without thresholds, the ensemble flags nothing.
    Raises NoComparison like `joint_scores`.
    """
    joint = joint_scores(store, chosen, models)
    every = Slice(chosen.cohort, models[0])
    among = joint_scores(store, every, models, chosen.label_source, chosen.policy).scores if mean == "ranks" else None
    found = combine_scores(joint.scores, joint.scales, mean, among)[None]
    return replace(
        joint, models=(f"mean of {mean}",), scores=found, called=np.full(found.shape, -1, np.int8), scales=(None,)
    )


def ensemble_board(
    store: Store, chosen: Slice, models: Sequence[str], mean: MeanKind, *, natural: bool = False, minimum: int = 0
) -> Board:
    """Return the ensemble's leaderboard with point estimates only. Raises NoComparison and the store's errors."""
    versions = tuple(store.version(chosen.cohort, model) for model in models)
    return _points(store, chosen, tuple(models), mean, natural, minimum, versions)


@cached_per_owner(16)
def _points(
    store: Store,
    chosen: Slice,
    models: tuple[str, ...],
    mean: MeanKind,
    natural: bool,
    minimum: int,
    _versions: tuple[str, ...],
) -> Board:
    joint = ensemble_scores(store, chosen, models, mean)
    return board_of(joint, slice_groups(store, chosen, models), 0, 0, natural, minimum=minimum)


def _logits(scores: Floats, scale: float | None) -> Floats:
    """Return logits (n, findings) of scores, or of margins times the model's scale."""
    if scale is not None:
        return scale * scores
    inside = np.clip(scores, _EDGE, 1 - _EDGE)
    found: Floats = np.log(inside) - np.log1p(-inside)
    return found


def _ranks(scores: ScoreArray, among: ScoreArray) -> Floats:
    """Return ranks (n, findings) in [0, 1] of one model's scores."""
    columns = [
        (np.searchsorted(ordered, column, "left") + np.searchsorted(ordered, column, "right")) / (2 * len(ordered))
        for column, ordered in zip(scores.T, np.sort(among, axis=0).T, strict=True)
    ]
    return np.stack(columns, axis=1)
