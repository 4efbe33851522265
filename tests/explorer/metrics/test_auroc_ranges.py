"""The range of AUROC over uncertain labels against every way that they may fall, tried one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from explorer.metrics.auroc_ranges import auroc_difference_range, auroc_range, middle_ranks


def ways(labels: np.ndarray) -> list[np.ndarray]:
    """Every assignment of the uncertain labels."""
    places = np.flatnonzero(np.isnan(labels))
    found = []
    for values in product((0.0, 1.0), repeat=len(places)):
        each = labels.copy()
        each[places] = values
        found.append(each)
    return found


def test_four_films_worked_by_hand() -> None:
    """Scores 1, 2, 3, 4: the first is absent, the third present, the others uncertain.

    Both absent: the third is above two of three, 2/3. Second present: it and the third are above the first alone, 2 of
    4 pairs. Fourth present: 4 of 4 pairs. Both present: 3 of 3. Reversed, 1 less each: 1/3, 1/2, 0, 0.
    """
    labels, ranks = np.array([0, np.nan, 1, np.nan]), middle_ranks([1, 2, 3, 4])
    assert auroc_range(ranks, labels) == pytest.approx((0.5, 1.0))
    assert auroc_range(5 - ranks, labels) == pytest.approx((0.0, 0.5))
    assert auroc_difference_range(ranks, 5 - ranks, labels) == pytest.approx((0.0, 1.0))


@pytest.mark.parametrize("seed", range(12))
def test_every_way_is_tried(seed: int) -> None:
    random = np.random.default_rng(seed)
    n, open_films = 14, int(random.integers(0, 9))
    labels = np.concatenate([[0, 1], random.integers(0, 2, n - 2 - open_films), np.full(open_films, np.nan)])
    scores = random.integers(0, 6 if seed % 2 else 1000, (2, n)) / 10.0  # every other one has many ties
    ranks = [middle_ranks(row) for row in scores]
    areas = np.array([[roc_auc_score(way, row) for row in scores] for way in ways(labels)])
    for model in range(2):
        assert auroc_range(ranks[model], labels) == pytest.approx((areas[:, model].min(), areas[:, model].max()))
    apart = areas[:, 0] - areas[:, 1]
    assert auroc_difference_range(*ranks, labels) == pytest.approx((apart.min(), apart.max()), abs=1e-12)


def test_without_a_sure_film_of_each_kind_there_is_no_range() -> None:
    ranks = middle_ranks([1.0, 2.0, 3.0])
    for labels in ([np.nan, np.nan, 1], [0, np.nan, 0], [np.nan] * 3):
        assert np.isnan(auroc_range(ranks, labels)).all()
        assert np.isnan(auroc_difference_range(ranks, ranks, labels)).all()


def test_a_model_is_never_ahead_of_itself() -> None:
    ranks = middle_ranks(np.arange(8))
    assert auroc_difference_range(ranks, ranks, [0, 1, *[np.nan] * 6]) == (0, 0)
