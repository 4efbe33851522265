"""Computes an ensemble's paired gains over its best member and a reference member, on the same resamples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.means import Board, larger_is_better
from explorer.core.figures import Estimate
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.joint_means import JointMeans

NO_GAIN = Estimate(np.nan)


@dataclass(frozen=True, slots=True)
class EnsembleGain:
    """An ensemble's mean over one group of findings, and its gain over the best member and the reference.

    `part` and `best` are indices of a group and a member; `best` is None if no member has the metric.
    """

    part: int
    ensemble: Estimate
    best: int | None
    of_best: Estimate
    of_reference: Estimate
    over_best: Estimate
    over_reference: Estimate


def ensemble_gains(ensemble: Board, members: Board, reference: int, measure: BoardMeasure) -> Iterator[EnsembleGain]:
    """Yield the gain for each group of findings, from the leaderboards of the ensemble and of its members.

    Both leaderboards need the same films and resamples. The best member has the best point estimate. Gains are
    undefined where the two leaderboards count different findings.
    """
    for part in range(len(members.parts)):
        own, theirs = ensemble.means[part, measure], members.means[part, measure]
        worth = larger_is_better(measure, theirs.point)
        best = None if np.isnan(worth).all() else int(np.nanargmax(worth))
        yield EnsembleGain(
            part=part,
            ensemble=_mean(own, 0),
            best=best,
            of_best=NO_GAIN if best is None else _mean(theirs, best),
            of_reference=_mean(theirs, reference),
            over_best=NO_GAIN if best is None else _difference(own, theirs, best),
            over_reference=_difference(own, theirs, reference),
        )


def _mean(means: JointMeans, model: int) -> Estimate:
    return Estimate(float(means.point[model]), *(means.interval(model) or (np.nan, np.nan)))


def _difference(own: JointMeans, theirs: JointMeans, member: int) -> Estimate:
    if own.counted != theirs.counted:
        return NO_GAIN
    value = float(own.point[0] - theirs.point[member])
    if len(own.samples) != len(theirs.samples) or not len(own.samples):  # one side is still being computed
        return Estimate(value, np.nan, np.nan)
    return Estimate(
        value, *percentile_interval(own.samples[:, 0] - theirs.samples[:, member], min(own.units, theirs.units))
    )
