"""Thresholds of one finding and what they are worth, against scikit-learn over random small cohorts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import confusion_matrix, f1_score

from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.analysis.one_finding.scores import FindingScores, mark_at, operating_marks
from explorer.metrics.clustered_rates import clustered_rate
from explorer.store.slices import Slice
from tests.support.random_findings import findings
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME, store_of

OWN = np.array([0.4, np.nan, 0.3])


@given(findings())
@settings(max_examples=60)
def test_a_threshold_is_counted_as_scikit_learn_counts_it(one: FindingScores) -> None:
    mark = mark_at(one, 0, 0.5)
    truth, calls = one.labels[one.known], one.scores[0][one.known] >= 0.5
    (tn, fp), (fn, tp) = confusion_matrix(truth, calls, labels=[0, 1]) if len(truth) else ((0, 0), (0, 0))
    sensitivity, specificity = mark.point
    assert (sensitivity.hits, sensitivity.rest.hits, specificity.hits, specificity.rest.hits) == (tp, fn, tn, fp)
    assert (mark.precision.hits, mark.precision.n) == (tp, tp + fp)
    assert mark.f1 == (pytest.approx(f1_score(truth, calls, zero_division=0)) if one.positives else None)
    if one.positives:
        present, called = one.labels == 1, one.scores[0] >= 0.5
        assert sensitivity == clustered_rate(called[present], one.patients[present])


@given(findings())
@settings(max_examples=60)
def test_marks_are_the_best_of_all_thresholds_or_say_why_there_is_none(one: FindingScores) -> None:
    own, youden, best, half = operating_marks(one, 1, OWN)
    assert (own.low, own.high) == (0.3, 0.4) and not own.in_sample and youden.in_sample and best.in_sample
    called = one.known & (one.called[1] >= 0)
    assert own.point.sensitivity.n + own.point.specificity.n == called.sum(), "films without a threshold are left out"
    assert half.low == (0.5 if one.scales[1] is None else 0.0), "a margin's sigmoid is 0.5 at 0"
    every = [mark_at(one, 1, each) for each in np.unique(one.scores[1][one.known])]
    if one.no_curve_reason:
        assert youden.reason == best.reason == one.no_curve_reason and youden.place is None
        return
    gains = [(each.point.sensitivity.value or 0) + (each.point.specificity.value or 0) for each in every]
    if youden.low is None:
        assert max(gains) == pytest.approx(1) and youden.reason
    else:
        assert sum(each.value or 0 for each in youden.point) == pytest.approx(max(gains))
    if best.low is not None:
        assert best.f1 == pytest.approx(max(each.f1 or 0 for each in every))


@given(findings(both_classes=True))
def test_a_marks_place_is_on_the_curve_as_films_are_weighted(one: FindingScores) -> None:
    mark = mark_at(one, 0, 0.3)
    weights = np.ones(len(one.labels)) if one.weights is None else one.weights
    called = one.scores[0] >= 0.3
    positive, negative = one.labels == 1, one.labels == 0
    assert mark.place is not None
    rate, sensitivity, precision = mark.place
    assert rate == pytest.approx(weights[negative & called].sum() / weights[negative].sum())
    assert sensitivity == pytest.approx(weights[positive & called].sum() / weights[positive].sum())
    known = weights[one.known & called].sum()
    assert precision == (pytest.approx(weights[positive & called].sum() / known) if known else None)


def test_no_threshold_of_its_own_is_said(tmp_path: Path) -> None:
    store = store_of(write_several(tmp_path, 4, 40).folder)
    joint = joint_scores(store, Slice(NAME, MODELS[0]), MODELS)
    one = FindingScores.of(joint, joint.findings.index("Hernia"), natural=True)
    own, *rest = operating_marks(one, 0, np.array([np.nan]))
    assert own.low is None and own.reason == "no threshold" and own.place is None
    assert [each.reason for each in rest] == ["no positives", "no positives", None]
    assert one.weights is not None and len(one.labels) == len(joint.labels)
