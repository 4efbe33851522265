"""Bounds of an AUROC and of ranks under wrong labels, worked by hand and by trying all films."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from explorer.metrics.label_errors import auroc_bounds, rank_bounds
from explorer.metrics.metrics import auroc


def test_worked_by_hand() -> None:
    # 10 films labeled present, 1 of them wrong: 0.9 x true + 0.1 x anything = 0.85.
    assert auroc_bounds(0.85, 0.1) == pytest.approx((0.75 / 0.9, 0.85 / 0.9))
    assert auroc_bounds(0.85, 0.0) == (0.85, 0.85)
    assert auroc_bounds(0.97, 0.2) == pytest.approx((0.77 / 0.8, 1.0))


def test_no_choice_of_wrong_films_leaves_the_bounds() -> None:
    dice = np.random.default_rng(3)
    scores = dice.normal(size=24) + np.repeat([1.0, 0.0], [8, 16])
    labels = np.repeat([1.0, 0.0], [8, 16])
    low, high = auroc_bounds(float(auroc(labels[:, None], scores[:, None])[0]), 2 / 8)
    for wrong in combinations(range(8), 2):
        kept = np.delete(np.arange(24), wrong)  # the films with the finding against those labeled absent
        true = float(auroc(labels[kept, None], scores[kept, None])[0])
        assert low - 1e-12 <= true <= high + 1e-12


def test_ranks_worked_by_hand() -> None:
    assert rank_bounds([(0.8, 0.9), (0.7, 0.85), (0.5, 0.6)]) == [(1, 2), (1, 2), (3, 3)]
    assert rank_bounds([(0.5, 0.5)]) == [(1, 1)]


@pytest.mark.parametrize("wrong", [-0.1, 1.0])
def test_a_share_outside_0_to_1_is_an_error(wrong: float) -> None:
    with pytest.raises(ValueError, match="share of wrong labels"):
        auroc_bounds(0.8, wrong)
