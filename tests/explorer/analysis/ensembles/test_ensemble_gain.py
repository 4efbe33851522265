"""What an ensemble gains against one board of members and ensemble together, on the same resamples."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.ensembles.ensemble import ensemble_scores
from explorer.analysis.ensembles.ensemble_gain import NO_GAIN, ensemble_gains
from explorer.analysis.leaderboard.joint_metrics import BoardMeasure
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, slice_groups
from explorer.metrics.bootstrap import LEVEL
from explorer.store.slices import Slice
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, store_of

CHOSEN = Slice(NAME, MODELS[0])
RESAMPLES, SEED = 40, 5
MEASURES: tuple[BoardMeasure, ...] = ("AP", "AUROC", "ECE")


def boards(place: Path, seed: int, *, natural: bool = False, resamples: int = RESAMPLES) -> tuple[Board, Board, Board]:
    """Of the ensemble alone, of its members, and of all of them as one board."""
    store = store_of(write_several(place, seed, 80).folder)
    joint, own = joint_scores(store, CHOSEN, MODELS), ensemble_scores(store, CHOSEN, MODELS, "scores")
    both = replace(
        joint,
        models=(*joint.models, *own.models),
        scores=np.concatenate([joint.scores, own.scores]),
        called=np.concatenate([joint.called, own.called]),
        scales=(*joint.scales, None),
    )
    groups = slice_groups(store, CHOSEN, MODELS)

    def board(of: JointScores) -> Board:
        return board_of(of, groups, resamples, SEED, natural)

    return board(own), board(joint), board(both)


@pytest.mark.slow
@pytest.mark.parametrize("natural", [False, True])
@pytest.mark.parametrize("seed", [1, 6, 13])
def test_a_gain_is_the_paired_difference_of_one_board(tmp_path: Path, seed: int, natural: bool) -> None:
    own, members, together = boards(tmp_path, seed, natural=natural)
    for measure in MEASURES:
        for gain in ensemble_gains(own, members, 1, measure):
            means = together.means[gain.part, measure]
            points = means.point[: len(MODELS)]
            if np.isnan(points).all():
                assert gain.best is None and gain.over_best == NO_GAIN
                continue
            best = int(np.nanargmin(points) if measure == "ECE" else np.nanargmax(points))
            assert gain.best == best
            assert gain.ensemble.value == pytest.approx(means.point[-1])
            for figure, member in ((gain.over_best, best), (gain.over_reference, 1)):
                less = means.samples[:, -1] - means.samples[:, member]
                defined = less[~np.isnan(less)]
                assert figure.value == pytest.approx(means.point[-1] - points[member])
                if means.units > 1 and defined.size:
                    assert (figure.low, figure.high) == pytest.approx(np.quantile(defined, LEVEL))


def test_without_resamples_there_is_a_difference_and_no_interval(tmp_path: Path) -> None:
    own, members, _ = boards(tmp_path, 2, resamples=0)
    first = next(ensemble_gains(own, members, 0, "AP"))
    assert np.isfinite(first.over_best.value) and np.isnan(first.over_best.low) and np.isnan(first.ensemble.low)


def test_boards_that_count_other_findings_are_not_compared(tmp_path: Path) -> None:
    own, members, _ = boards(tmp_path, 2)
    means = {key: replace(each, counted=each.counted[1:]) for key, each in own.means.items()}
    found = list(ensemble_gains(replace(own, means=means), members, 0, "AP"))
    assert all(each.over_best == NO_GAIN for each in found if members.means[each.part, "AP"].counted)
