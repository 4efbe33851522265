"""Models under every way that uncertain labels may fall, over findings: against trying them one by one."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from explorer.analysis.comparisons.label_ranges import MAX_ALL_PAIRS, LabelRanges, label_ranges
from explorer.analysis.leaderboard.joint_scores import JointScores
from tests.explorer.analysis.leaderboard.test_joint_metrics import joint_of

UNCERTAIN = ((3, 0), (8, 0), (20, 0), (5, 1), (9, 1))  # film, finding


def readings(joint: JointScores) -> tuple[JointScores, JointScores]:
    """Both readings of the labels, with the pairs of UNCERTAIN uncertain."""
    both = []
    for value in (0.0, 1.0):
        labels = joint.labels.copy()
        for film, finding in UNCERTAIN:
            labels[film, finding] = value
        both.append(replace(joint, labels=labels))
    return both[0], both[1]


def ways(joint: JointScores) -> np.ndarray:
    """Each model's mean AUROC (ways, models) over two findings, for every way."""
    found = []
    for values in product((0.0, 1.0), repeat=len(UNCERTAIN)):
        labels = joint.labels.copy()
        for (film, finding), value in zip(UNCERTAIN, values, strict=True):
            labels[film, finding] = value
        areas = []
        for scores in joint.scores:
            known = [~np.isnan(labels[:, place]) for place in range(2)]
            areas.append(
                [roc_auc_score(labels[there, place], scores[there, place]) for place, there in enumerate(known)]
            )
        found.append(np.mean(areas, axis=1))
    return np.array(found)


def ranges_of(joint: JointScores) -> LabelRanges:
    found = label_ranges(*readings(joint))
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(5))
def test_ranges_and_pairs_are_those_of_every_way(seed: int) -> None:
    joint = joint_of(seed, findings=2)
    found, means = ranges_of(joint), ways(joint)
    assert found.uncertain == len(UNCERTAIN) and len(found.findings) == 2
    assert found.low == pytest.approx(means.min(0)) and found.high == pytest.approx(means.max(0))
    assert len(found.pairs) == 3
    for pair in found.pairs:
        apart = means[:, joint.models.index(pair.ahead)] - means[:, joint.models.index(pair.behind)]
        assert (pair.low, pair.high) == pytest.approx((apart.min(), apart.max()), abs=1e-12)
        assert pair.keeps == (apart.min() > 1e-12)
    orders = {tuple(np.argsort(-row, kind="stable")) for row in means}
    assert not found.same_order or len(orders) == 1


def test_a_model_that_is_far_ahead_stays_ahead() -> None:
    joint = joint_of(1, n=200, findings=2)
    scores = joint.scores.copy()
    scores[0] = np.nan_to_num(joint.labels)
    scores[2] = 1 - scores[0]
    found = ranges_of(replace(joint, scores=scores))
    assert found.same_order
    assert [(pair.ahead, pair.behind) for pair in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]


def test_many_models_are_compared_with_the_next() -> None:
    many = MAX_ALL_PAIRS + 2
    joint = joint_of(3, n=60, findings=2)
    random = np.random.default_rng(3)
    scores = random.random((many, 60, 2)).astype(np.float32)
    found = ranges_of(replace(joint, models=tuple("abcdefgh"), scores=scores))
    assert len(found.pairs) == many - 1
    assert {pair.ahead for pair in found.pairs} | {found.pairs[-1].behind} == set("abcdefgh")
    assert all(one.behind == next_one.ahead for one, next_one in pairwise(found.pairs))


def test_a_finding_without_sure_films_of_both_kinds_is_left_out() -> None:
    joint = joint_of(2, findings=2)
    labels = joint.labels.copy()
    labels[:, 1] = 0
    found = ranges_of(replace(joint, labels=labels))
    assert found.findings == ("finding 0",) and found.uncertain == 3
    labels[:, 0] = 0
    assert label_ranges(*readings(replace(joint, labels=labels))) is None
