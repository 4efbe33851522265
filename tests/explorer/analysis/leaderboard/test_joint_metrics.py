"""Six metrics of several models at once: margins, films without a threshold, models one after the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.leaderboard import joint_metrics
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, JointMetrics
from explorer.analysis.leaderboard.joint_scores import JointScores
from explorer.metrics import joint_ranking, metrics, resamples
from explorer.metrics.bootstrap import bootstrap


def joint_of(seed: int, n: int = 40, models: int = 3, findings: int = 4) -> JointScores:
    """Made-up scores with ties and unknown labels; some patients have several films."""
    dice = np.random.default_rng(seed)
    scores = (dice.integers(0, 11, (models, n, findings)) / 10).astype(np.float32)
    return JointScores(
        models=tuple("abc"[:models]),
        findings=tuple(f"finding {k}" for k in range(findings)),
        labels=dice.choice([0.0, 0.0, 1.0, np.nan], (n, findings)),
        scores=scores,
        called=(scores >= 0.5).astype(np.int8),
        scales=(None,) * models,
        films=np.arange(n),
        centers=np.full(n, "one", dtype=object),
        patients=dice.integers(0, n // 2, n),
        weights=dice.integers(1, 4, n).astype(float),
        films_left_out=0,
        findings_left_out=(),
    )


def same(one: JointMetrics, other: JointMetrics) -> None:
    for measure in BOARD_MEASURES:
        assert one.points[measure] == pytest.approx(other.points[measure], abs=1e-12, nan_ok=True)
        assert one.samples[measure] == pytest.approx(other.samples[measure], abs=1e-12, nan_ok=True)


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_samples_are_those_of_the_bootstrap_of_each_model(seed: int, natural: bool) -> None:
    joint = joint_of(seed)
    found = joint_metrics.joint_metrics(joint, 5, 2, natural=natural)
    weights = joint.weights if natural else None
    of = {"AP": metrics.average_precision, "AUROC": metrics.auroc, "F1": metrics.f1, "ECE": metrics.ece}
    for measure, metric in {**of, "precision": metrics.precision, "recall": metrics.recall}.items():
        for model, scores in enumerate(joint.scores):
            drawn = bootstrap(joint.labels, scores, metric, 5, 2, joint.patients, weights)
            assert found.points[measure][model] == pytest.approx(drawn.point, abs=1e-12, nan_ok=True)  # type: ignore[index]
            assert found.samples[measure][:, model] == pytest.approx(drawn.samples, abs=1e-12, nan_ok=True)  # type: ignore[index]
        assert (found.patients == drawn.units).all()


@pytest.mark.parametrize("natural", [False, True])
def test_positives_and_resamples_one_after_the_other_have_the_same_numbers(
    monkeypatch: pytest.MonkeyPatch, natural: bool
) -> None:
    joint = joint_of(1)
    at_once = joint_metrics.joint_metrics(joint, 30, 0, natural=natural)
    monkeypatch.setattr(joint_ranking, "_CELLS", 1)
    one_by_one = joint_metrics.joint_metrics(joint, 30, 0, natural=natural)
    assert np.array_equal(one_by_one.samples["AP"], at_once.samples["AP"], equal_nan=True), "to the last digit"
    monkeypatch.setattr(resamples, "_AT_ONCE", (1, 1))
    same(joint_metrics.joint_metrics(joint, 30, 0, natural=natural), at_once)


def test_the_order_of_films_does_not_matter() -> None:
    joint = replace(joint_of(5, 60), patients=np.arange(60))
    turned = joint.of(np.arange(60)[::-1])
    found, other = joint_metrics.joint_metrics(joint, 0, 0), joint_metrics.joint_metrics(turned, 0, 0)
    for measure in ("AP", "AUROC", "F1", "precision", "recall"):
        assert np.array_equal(found.points[measure], other.points[measure], equal_nan=True), measure
    same(found, other)


@pytest.mark.parametrize("weight", [1, 70_000])
def test_all_cases_drawn_once_are_the_cases_as_they_are(weight: int) -> None:
    """Points have a way of their own; counts of which all are equal say the same, in whatever type they fit."""
    joint = joint_of(6)
    found = joint_metrics.joint_metrics(joint, 0, 0)
    for measure in BOARD_MEASURES:
        again = joint_metrics.metric_on_sets(joint, np.full((2, 40), weight), measure)
        assert again[1] == pytest.approx(found.points[measure], abs=1e-12, nan_ok=True)


def test_calibration_of_margins_is_that_of_the_scores_they_mean() -> None:
    joint = joint_of(2)
    margins = replace(joint, scores=joint.scores - np.float32(0.5), scales=(8.0, 8.0, None))
    found = joint_metrics.joint_metrics(margins, 0, 0)
    for model in (0, 1):
        scores = 1 / (1 + np.exp(-8.0 * margins.scores[model].astype(np.float64)))
        assert found.points["ECE"][model] == pytest.approx(metrics.ece(joint.labels, scores), nan_ok=True)
    assert np.isnan(found.points["ECE"][2]).all(), "scores below 0 without a scale cannot be set beside rates"
    assert not np.isnan(found.points["AP"][2]).any()


def test_a_film_that_one_model_cannot_call_is_left_out_for_all_and_counted() -> None:
    joint = joint_of(3)
    called = joint.called.copy()
    called[0, :5, 1] = -1  # no threshold for these films
    called[2, :, 2] = -1  # none at all: nobody else is narrowed
    found = joint_metrics.joint_metrics(replace(joint, called=called), 0, 0)
    labels = joint.labels.copy()
    labels[:5, 1] = np.nan
    assert found.uncalled == int((~np.isnan(joint.labels[:5, 1])).sum())
    for model in (0, 1):
        assert found.points["recall"][model] == pytest.approx(metrics.recall(labels, joint.scores[model]), nan_ok=True)
    assert np.isnan(found.points["F1"][2, 2]) and not np.isnan(found.points["AP"][2, 2])


def test_without_resamples_there_are_points_alone() -> None:
    found = joint_metrics.joint_metrics(joint_of(4), 0, 0)
    assert all(len(samples) == 0 for samples in found.samples.values())
    assert not np.isnan(found.points["AUROC"]).any()
