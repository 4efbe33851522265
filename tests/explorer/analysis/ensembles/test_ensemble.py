"""Means of several models against plain loops: scores, logits, ranks; margins, ties, and what a slice changes."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.analysis.ensembles.ensemble import MEAN_KINDS, MeanKind, combine_scores, ensemble_board, ensemble_scores
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, store_of

CHOSEN = Slice(NAME, MODELS[0])


def scores_of(seed: int, models: int = 3, films: int = 40, findings: int = 4) -> NDArray[np.float32]:
    """Ties are frequent, 0 and 1 are among them."""
    return np.random.default_rng(seed).integers(0, 11, (models, films, findings)).astype(np.float32) / 10


def store_with(place: Path, seed: int) -> Store:
    return store_of(write_several(place, seed, 70).folder)


def sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value))


@pytest.mark.parametrize("seed", range(4))
def test_the_mean_of_scores_turns_margins_into_scores_first(seed: int) -> None:
    scores, scales = scores_of(seed), (None, 5.0, None)
    found = combine_scores(scores, scales, "scores")
    for film, finding in np.ndindex(found.shape):
        one, margin, other = (float(each) for each in scores[:, film, finding])
        assert found[film, finding] == pytest.approx((one + sigmoid(5 * margin) + other) / 3, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_the_mean_of_logits_is_finite_for_scores_of_0_and_1(seed: int) -> None:
    scores, scales = scores_of(seed), (None, 5.0, None)
    found = combine_scores(scores, scales, "logits")
    assert {0.0, 1.0} <= set(scores[0].ravel().tolist())

    def logit(score: float) -> float:
        inside = min(max(score, 1e-6), 1 - 1e-6)
        return math.log(inside / (1 - inside))

    for film, finding in np.ndindex(found.shape):
        one, margin, other = (float(each) for each in scores[:, film, finding])
        assert found[film, finding] == pytest.approx(sigmoid((logit(one) + 5 * margin + logit(other)) / 3), abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_a_rank_counts_films_below_and_half_of_those_that_tie(seed: int) -> None:
    scores = scores_of(seed)
    found = combine_scores(scores, (None,) * 3, "ranks")
    for film, finding in np.ndindex(found.shape):
        shares = []
        for model in scores:
            column = model[:, finding]
            below, same = (column < column[film]).sum(), (column == column[film]).sum()
            shares.append((below + same / 2) / len(column))
        assert found[film, finding] == pytest.approx(float(np.mean(shares)), abs=1e-6)


def test_ranks_need_no_common_scale_and_means_of_scores_do() -> None:
    scores = scores_of(1)
    squeezed = scores.copy()
    squeezed[0] = squeezed[0] / 10 + 0.4
    alone = (None,) * 3
    assert np.array_equal(combine_scores(scores, alone, "ranks"), combine_scores(squeezed, alone, "ranks"))
    assert not np.allclose(combine_scores(scores, alone, "scores"), combine_scores(squeezed, alone, "scores"))


@pytest.mark.parametrize("mean", MEAN_KINDS)
def test_one_model_is_its_own_ensemble(mean: MeanKind) -> None:
    scores = scores_of(2)[:1]
    order = np.argsort(scores[0], axis=0, kind="stable")
    found = np.take_along_axis(combine_scores(scores, (None,), mean), order, axis=0)
    assert (np.diff(found, axis=0) >= 0).all()


@pytest.mark.parametrize("mean", MEAN_KINDS)
@pytest.mark.parametrize("seed", [2, 9])
def test_a_film_has_the_same_score_in_every_slice(tmp_path: Path, mean: MeanKind, seed: int) -> None:
    store = store_with(tmp_path, seed)
    whole, joint = ensemble_scores(store, CHOSEN, MODELS, mean), joint_scores(store, CHOSEN, MODELS)
    here = ensemble_scores(store, Slice(NAME, MODELS[0], center="South"), MODELS, mean)
    assert 0 < here.scores.shape[1] < whole.scores.shape[1] == joint.scores.shape[1]
    assert np.array_equal(here.scores, whole.scores[:, whole.centers == "South"])
    assert whole.models == (f"mean of {mean}",) and (whole.called == -1).all()
    assert 0 <= whole.scores.min() and whole.scores.max() <= 1


def test_its_board_has_the_parts_of_its_members(tmp_path: Path) -> None:
    store = store_with(tmp_path, 4)
    board = ensemble_board(store, CHOSEN, MODELS, "logits")
    assert board.models == ("mean of logits",) and [part.name for part in board.parts][0] == "seen findings"
    assert np.isfinite(board.means[0, "AP"].point).all() and np.isnan(board.means[0, "recall"].point).all()
