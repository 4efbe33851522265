"""The trained branch: its share is chosen on findings that it was not trained on, and views are averaged."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from explorer.workshop.shipping.zero_shot.__main__ import turned
from explorer.workshop.shipping.zero_shot.branch import LabeledFeatures, branch_scores, choose_branch_share
from explorer.workshop.shipping.zero_shot.proxy import BRANCH_SHARES
from models.training.cosine_branch import CosineBranch, train_cosine_branch
from models.training.shipping.vlm.folder import Projection
from tests.explorer.workshop.shipping.zero_shot.test_proxy import LABELS, SEEN, WORDS, directions_of, tower

FAST = partial(train_cosine_branch, steps=30, rate=0.05)


def test_six_findings_are_taken_out_of_the_branch_in_every_round() -> None:
    trained: list[int] = []
    rounds: list[list[int]] = []

    def train(features: np.ndarray, labels: np.ndarray, texts: np.ndarray) -> CosineBranch:
        trained.append(labels.shape[1])
        assert len(texts) == labels.shape[1] == len(rounds[-1])
        return FAST(features, labels, texts)

    training = LabeledFeatures(tower(1.0).features, LABELS)
    share = choose_branch_share(training, tower(1.0), LABELS, directions_of(rounds), WORDS, 0, train)
    assert share in BRANCH_SHARES and trained == [SEEN - 6] * 5 and all(0 in kept for kept in rounds)


def test_each_branch_is_averaged_over_the_views_and_standardized() -> None:
    """By hand: with all of the share, a finding's score is its mean cosine logit in deviations of validation films."""
    branch = CosineBranch(np.eye(2, dtype=np.float32), scale=2.0, bias=1.0)
    asked = np.array([[1, 0]], np.float32)
    straight, other = np.array([[1, 0], [0, 1]], np.float32), np.array([[0, 1], [0, 1]], np.float32)
    solved = Projection(np.eye(2, dtype=np.float32), np.zeros(2, np.float32), 1.0)
    found = branch_scores([straight, other], [straight], solved, branch, asked, share=1.0)
    # logits 3 and 1 straight, 1 and 1 turned: means 2 and 1; validation films have mean 2 and deviation 1
    np.testing.assert_allclose(found[:, 0], [0, -1], atol=1e-5)


def test_films_are_turned_and_stay_as_they_are_at_no_angle() -> None:
    films = np.random.default_rng(0).integers(0, 65535, (3, 16, 16)).astype(np.uint16)
    assert np.abs(turned(films, 0.0, batch=2).astype(int) - films).max() <= 1
    assert (turned(films, 90.0)[0, 0, 0] == pytest.approx(films[0, 0, 15], abs=2)) or (
        turned(films, 90.0)[0, 0, 0] == pytest.approx(films[0, 15, 0], abs=2)
    )
