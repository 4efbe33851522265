"""Intervals of mean precision and recall in closed form, against those of resampled patients."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.leaderboard.board_rates import BOARD_RATES
from explorer.analysis.leaderboard.joint_scores import compared_films, joint_scores
from explorer.analysis.leaderboard.means import board_of, slice_groups
from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.paired_rows import paired_rows
from explorer.store.slices import Slice
from tests.support.lasting_store import loaded_store
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, store_of

SIMULATED = ("phantom", "lab-bce-0")


@pytest.mark.parametrize("natural", [False, True])
def test_means_and_differences_are_about_as_wide_as_those_of_resampled_patients(natural: bool) -> None:
    store, chosen = loaded_store(), Slice("phantom", "phantom")
    films, groups = compared_films(store, chosen, SIMULATED), slice_groups(store, chosen, SIMULATED)
    board = board_of(films, groups, 300, 0, natural)
    means, differences = [], []
    for (part, measure), each in board.means.items():
        if measure in BOARD_RATES:
            less, resampled = board.against(part, measure, 0), paired_rows(each.point, each.samples, 0, each.units)
            assert less.value == pytest.approx(resampled.value, nan_ok=True)
            differences.append((less.high[1] - less.low[1]) / (resampled.high[1] - resampled.low[1]))
            for model in range(len(SIMULATED)):
                low, high = each.interval(model) or (np.nan, np.nan)
                drawn = percentile_interval(each.samples[:, model], each.units)
                assert low < each.point[model] < high
                means.append((high - low) / (drawn[1] - drawn[0]))
    assert 0.97 < np.median(means) < 1.05 and 0.97 < np.median(differences) < 1.15


def test_they_need_no_resamples_and_a_model_equals_itself(tmp_path: Path) -> None:
    store, chosen = store_of(write_several(tmp_path, 4, 60).folder), Slice(NAME, MODELS[0])
    groups = slice_groups(store, chosen, MODELS)
    now, later = (board_of(joint_scores(store, chosen, MODELS), groups, n, 0, False) for n in (0, 20))
    for (part, measure), each in now.means.items():
        intervals = [each.interval(model) for model in range(len(MODELS))]
        if measure not in BOARD_RATES:
            assert intervals == [None] * len(MODELS)
            continue
        assert intervals == [later.means[part, measure].interval(model) for model in range(len(MODELS))]
        less = now.against(part, measure, 1)
        assert np.isnan(less.low[1]) and (less.p[~np.isnan(less.p)] > 0).all()
        assert now.rates is not None
        itself = now.rates.against(now.parts[part].center, measure, 0 * now.weights(part, measure), 1)
        assert (itself.low[~np.isnan(itself.low)] == 0).all()


def test_one_patient_has_no_interval(tmp_path: Path) -> None:
    store, chosen = store_of(write_several(tmp_path, 4, 60).folder), Slice(NAME, MODELS[0])
    joint = joint_scores(store, chosen, MODELS)
    joint = replace(joint, patients=np.zeros_like(joint.patients))
    board = board_of(joint, slice_groups(store, chosen, MODELS), 0, 0, False)
    assert board.means[0, "recall"].interval(0) is None
    assert np.isnan(board.against(0, "recall", 1).low).all()


def test_many_films_of_many_models_have_those_of_the_resamples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, chosen = store_of(write_several(tmp_path, 4, 60).folder), Slice(NAME, MODELS[0])
    monkeypatch.setattr("explorer.analysis.leaderboard.board_rates.MOST_COUNTED", 10)
    groups = slice_groups(store, chosen, MODELS)
    now, later = (board_of(joint_scores(store, chosen, MODELS), groups, n, 0, False) for n in (0, 20))
    assert now.rates is None and all(each.interval(0) is None for each in now.means.values())
    for (part, measure), each in later.means.items():
        drawn = paired_rows(each.point, each.samples, 0, each.units, later.fewest(part, measure))
        assert np.array_equal(later.against(part, measure, 0).low, drawn.low, equal_nan=True)
