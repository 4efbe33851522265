"""Six metrics at a glance against the board's own samples: larger is better everywhere, undefined is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.leaderboard.board_rates import BOARD_RATES
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, slice_groups
from explorer.analysis.leaderboard.six_metrics import six_metrics
from explorer.metrics.bootstrap import LEVEL
from explorer.store.slices import Slice
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, store_of

CHOSEN = Slice(NAME, MODELS[0])


def board_with(place: Path, seed: int, resamples: int) -> Board:
    store = store_of(write_several(place, seed, 70).folder)
    return board_of(joint_scores(store, CHOSEN, MODELS), slice_groups(store, CHOSEN, MODELS), resamples, 1, False)


@pytest.mark.parametrize("seed", [3, 8, 15])
def test_ece_is_turned_upward_with_its_interval_and_the_others_stay(tmp_path: Path, seed: int) -> None:
    board = board_with(tmp_path, seed, 40)
    for part in range(len(board.parts)):
        for measure, found in zip(BOARD_MEASURES, six_metrics(board, part), strict=True):
            means = board.means[part, measure]
            assert found.counted == len(means.counted)
            for model in range(len(MODELS)):
                samples = means.samples[:, model]
                samples = samples[~np.isnan(samples)]
                point, turned = means.point[model], measure == "ECE"
                assert found.value[model] == pytest.approx(1 - point if turned else point, nan_ok=True)
                if measure in BOARD_RATES:
                    assert (found.low[model], found.high[model]) == (
                        means.interval(model) or pytest.approx([np.nan] * 2, nan_ok=True)
                    )
                elif not np.isnan(found.low[model]):
                    ends = np.quantile(1 - samples if turned else samples, LEVEL)
                    assert (found.low[model], found.high[model]) == pytest.approx(ends)
                    assert found.low[model] <= found.high[model]


def test_the_names_say_which_way_is_up(tmp_path: Path) -> None:
    names = [each.name for each in six_metrics(board_with(tmp_path, 3, 0), 0)]
    assert names == ["mAP", "mAUROC", "mF1", "1 \N{MINUS SIGN} ECE", "precision", "recall"]


def test_there_is_no_interval_before_the_resamples_are_there(tmp_path: Path) -> None:
    for each in six_metrics(board_with(tmp_path, 3, 0), 0):
        rate = each.name in BOARD_RATES
        assert rate or (np.isnan(each.low).all() and np.isnan(each.high).all())
        assert each.value.shape == (len(MODELS),)
