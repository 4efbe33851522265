"""Average precision and AUROC of several models in one pass: the very numbers of one model after the other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from explorer.metrics import joint_ranking, ranking_metrics


@given(st.integers(0, 2**32 - 1), st.integers(1, 30), st.integers(1, 4), st.booleans())
def test_both_are_those_of_each_model_alone(seed: int, n: int, models: int, weighted: bool) -> None:
    dice = np.random.default_rng(seed)
    labels = dice.choice([0.0, 1.0, np.nan], (n, 3))
    scores = dice.integers(0, 6, (models, n, 3)) / 5
    counts = dice.integers(0, 4, (11, n))
    drawn = counts * dice.random(n) if weighted else counts
    found = joint_ranking.ap_and_auroc(labels, scores)(drawn).reshape(11, 2, models, 3)
    for model, each in enumerate(scores):
        assert np.array_equal(found[:, 0, model], ranking_metrics.average_precision(labels, each)(drawn), True)
        assert np.array_equal(found[:, 1, model], ranking_metrics.auroc(labels, each)(drawn), True)


@given(st.integers(0, 2**32 - 1))
def test_on_all_cases_they_are_scikit_learns(seed: int) -> None:
    dice = np.random.default_rng(seed)
    labels, scores = np.append(dice.integers(0, 2, 20), [0, 1]).astype(float), dice.integers(0, 9, (2, 22)) / 9
    found = joint_ranking.ap_and_auroc(labels[:, None], scores[:, :, None])(np.ones((1, 22), dtype=np.int64)).reshape(
        2, 2
    )
    for model, each in enumerate(scores):
        assert found[0, model] == pytest.approx(average_precision_score(labels, each), abs=1e-9)
        assert found[1, model] == pytest.approx(roc_auc_score(labels, each), abs=1e-9)
