"""What an ensemble gains over its best member, and over one that is named: paired, on the same resamples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from explorer.analysis.leaderboard.joint_metrics import Measure
from explorer.analysis.leaderboard.means import Board, larger_is_better
from explorer.core.figures import Estimate
from explorer.metrics.bootstrap import interval
from explorer.metrics.joint_means import JointMeans

NO_GAIN = Estimate(np.nan)


@dataclass(frozen=True, slots=True)
class Gain:
    """An ensemble over one part, by its place: its mean, that of the best member and of the reference, and what it has
    more than each. `best` is a member's place, None where no member has the metric.
    """

    part: int
    ensemble: Estimate
    best: int | None
    of_best: Estimate
    of_reference: Estimate
    over_best: Estimate
    over_reference: Estimate


def ensemble_gains(ensemble: Board, members: Board, reference: int, measure: Measure) -> Iterator[Gain]:
    """By part, from the board of the ensemble alone and that of its members, of the same films and resamples.

    The best member is the one of the best point. The same findings are counted on both sides; where the two boards
    count others, the gains are undefined.
    """
    for part in range(len(members.parts)):
        own, theirs = ensemble.means[part, measure], members.means[part, measure]
        worth = larger_is_better(measure, theirs.point)
        best = None if np.isnan(worth).all() else int(np.nanargmax(worth))
        yield Gain(
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
    if len(own.samples) != len(theirs.samples) or not len(own.samples):  # of one of the two they are still to come
        return Estimate(value, np.nan, np.nan)
    return Estimate(value, *interval(own.samples[:, 0] - theirs.samples[:, member], min(own.units, theirs.units)))
