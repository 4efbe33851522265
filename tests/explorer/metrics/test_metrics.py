"""Metrics: scikit-learn's numbers wherever they are defined, NaN where they are not."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sklearn_metrics
from sklearn.calibration import calibration_curve

from explorer.core.arrays import Floats
from explorer.metrics import metrics
from explorer.metrics.bins import bin_numbers
from tests.support.arrays import Cases, cases
from tests.support.wording import Wording

NAN = np.nan
Reference = Callable[[Floats, Floats, Floats], float]

ALL = (
    metrics.average_precision,
    metrics.auroc,
    metrics.precision,
    metrics.recall,
    metrics.sensitivity,
    metrics.specificity,
    metrics.f1,
    metrics.ece,
    metrics.brier,
)


def average_precision(labels: Floats, scores: Floats, weights: Floats) -> float:
    return sklearn_metrics.average_precision_score(labels, scores, sample_weight=weights)


def auroc(labels: Floats, scores: Floats, weights: Floats) -> float:
    return sklearn_metrics.roc_auc_score(labels, scores, sample_weight=weights)


def precision(labels: Floats, scores: Floats, weights: Floats) -> float:
    return sklearn_metrics.precision_score(labels, scores >= 0.5, sample_weight=weights, zero_division=NAN)


def recall(labels: Floats, scores: Floats, weights: Floats) -> float:
    return sklearn_metrics.recall_score(labels, scores >= 0.5, sample_weight=weights, zero_division=NAN)


def specificity(labels: Floats, scores: Floats, weights: Floats) -> float:
    called = scores >= 0.5
    return sklearn_metrics.recall_score(labels, called, pos_label=0, sample_weight=weights, zero_division=NAN)


def f1(labels: Floats, scores: Floats, weights: Floats) -> float:
    return sklearn_metrics.f1_score(labels, scores >= 0.5, sample_weight=weights)


def brier(labels: Floats, scores: Floats, weights: Floats) -> float:
    return sklearn_metrics.brier_score_loss(labels, scores, sample_weight=weights, pos_label=1)


REFERENCES: dict[metrics.Metric, tuple[Reference, set[float]]] = {  # with the classes that each needs
    metrics.average_precision: (average_precision, {0, 1}),
    metrics.auroc: (auroc, {0, 1}),
    metrics.precision: (precision, {1}),
    metrics.recall: (recall, {1}),
    metrics.sensitivity: (recall, {1}),
    metrics.specificity: (specificity, {0}),
    metrics.f1: (f1, {1}),
    metrics.brier: (brier, set()),
}


# To draw cases takes longer than any metric of them: all are asked about the same.
@pytest.mark.slow
@given(drawn=cases())
def test_metrics_are_those_of_scikit_learn(drawn: Cases) -> None:
    for metric, (reference, needed) in REFERENCES.items():
        values = metric(drawn.labels, drawn.scores, drawn.weights)
        for finding, value in enumerate(values):
            labels, scores, weights = drawn.known(finding)
            expected = reference(labels, scores, weights) if labels.size and needed <= set(labels) else NAN
            assert value == pytest.approx(expected, abs=1e-9, nan_ok=True), metric.__name__


@given(drawn=cases())
def test_scaled_brier_is_scikit_learn_s_d2(drawn: Cases) -> None:
    values = metrics.brier(drawn.labels, drawn.scores, drawn.weights, scaled=True)
    for finding, value in enumerate(values):
        labels, scores, weights = drawn.known(finding)
        if set(labels) == {0, 1}:
            expected = sklearn_metrics.d2_brier_score(labels, scores, sample_weight=weights)
            assert value == pytest.approx(expected, rel=1e-9, abs=1e-9)
        else:
            assert np.isnan(value)


@given(drawn=cases(), bins=st.integers(1, 20))
def test_ece_is_that_of_scikit_learn_s_bins(drawn: Cases, bins: int) -> None:
    values = metrics.ece(drawn.labels, drawn.scores, bins=bins)
    for finding, value in enumerate(values):
        labels, scores, _ = Cases(drawn.labels, drawn.scores, None).known(finding)
        if not labels.size:
            assert np.isnan(value)
            continue
        rate, mean = calibration_curve(labels, scores, n_bins=bins)
        edges = np.linspace(0, 1, bins + 1)
        n = np.array([((scores > low) & (scores <= high)).sum() for low, high in zip(edges, edges[1:], strict=False)])
        n[0] += (scores == 0).sum()
        assert value == pytest.approx((n[n > 0] * np.abs(rate - mean)).sum() / labels.size, abs=1e-9)


@pytest.mark.slow
@settings(max_examples=200)
@given(drawn=cases(), data=st.data())
def test_a_weight_is_a_number_of_copies(drawn: Cases, data: st.DataObject) -> None:
    copies = data.draw(st.lists(st.integers(0, 4), min_size=drawn.n, max_size=drawn.n))
    rows = np.repeat(np.arange(drawn.n), copies)
    for metric in ALL:
        weighted, copied = metric(drawn.labels, drawn.scores, copies), metric(drawn.labels[rows], drawn.scores[rows])
        assert weighted == pytest.approx(copied, abs=1e-9, nan_ok=True), metric.__name__


@pytest.mark.slow
@settings(max_examples=200)
@given(drawn=cases())
def test_unknown_labels_leave_the_pair_out_and_no_other(drawn: Cases) -> None:
    known = [drawn.known(finding) for finding in range(drawn.labels.shape[1])]
    for metric in ALL:
        values = metric(drawn.labels, drawn.scores, drawn.weights)
        for value, (labels, scores, weights) in zip(values, known, strict=True):
            (alone,) = metric(labels[:, None], scores[:, None], weights)
            assert value == pytest.approx(alone, abs=1e-9, nan_ok=True), metric.__name__


def test_a_worked_example() -> None:
    """Scores .9 .8 .8 .4 .1, labels 1 1 0 0 1: precision 1, 2/3 and 3/5 where recall rises by 1/3 each."""
    labels, scores = np.array([[1, 1, 0, 0, 1.0]]).T, np.array([[0.9, 0.8, 0.8, 0.4, 0.1]]).T
    assert metrics.average_precision(labels, scores) == pytest.approx([(1 + 2 / 3 + 3 / 5) / 3])
    assert metrics.auroc(labels, scores) == pytest.approx([(2 + 1.5 + 0) / 6])
    assert metrics.precision(labels, scores) == pytest.approx([2 / 3])
    assert metrics.recall(labels, scores) == pytest.approx([2 / 3])
    assert metrics.specificity(labels, scores) == pytest.approx([1 / 2])
    assert metrics.f1(labels, scores) == pytest.approx([2 / 3])
    assert metrics.brier(labels, scores) == pytest.approx([(0.01 + 0.04 + 0.64 + 0.16 + 0.81) / 5])
    assert metrics.brier(labels, scores, scaled=True) == pytest.approx([1 - (1.66 / 5) / (0.6 * 0.4)])
    assert metrics.ece(labels, scores, bins=2) == pytest.approx([(abs(0.5 - 1) + abs(2.5 - 2)) / 5])


def test_a_score_at_the_threshold_is_called() -> None:
    labels, scores = np.ones((2, 2)), np.array([[0.5, 0.7], [0.4, 0.7]])
    assert metrics.recall(labels, scores).tolist() == [0.5, 1]
    assert metrics.recall(labels, scores, threshold=np.array([0.4, 0.8])).tolist() == [1, 0]


def test_a_finding_without_a_threshold_has_no_metric() -> None:
    labels, scores = np.array([[1.0, 1], [0, 0]]), np.full((2, 2), 0.6)
    for metric in (metrics.precision, metrics.recall, metrics.specificity, metrics.f1):
        alone, without = metric(labels, scores, threshold=np.array([0.5, NAN]))
        assert not np.isnan(alone)
        assert np.isnan(without)


def test_false_alarms_without_positives_are_no_zero() -> None:
    labels, scores = np.zeros((3, 1)), np.full((3, 1), 0.9)
    for metric in (metrics.precision, metrics.recall, metrics.f1, metrics.average_precision, metrics.auroc):
        assert np.isnan(metric(labels, scores)).all()
    assert metrics.specificity(labels, scores).tolist() == [0]


def test_a_metric_of_no_cases_is_undefined() -> None:
    for metric in ALL:
        assert np.isnan(metric(np.empty((0, 2)), np.empty((0, 2)))).tolist() == [True, True]


@pytest.mark.parametrize("bad", [NAN, np.inf, -np.inf])
def test_scores_that_are_no_numbers_are_refused_with_their_place(bad: float, wording: Wording) -> None:
    scores = np.array([[0.1, 0.2], [0.3, bad]])
    with pytest.raises(ValueError) as caught:
        metrics.auroc(np.array([[0, 1], [1, NAN]]), scores)
    wording(caught.value, "case 1", "finding 1", bad, "finite")


@pytest.mark.parametrize(
    ("labels", "scores", "weights", "told"),
    [
        ([[1], [-1]], [[0.1], [0.2]], None, "case 1, finding 0"),
        ([[1], [0]], [[0.1], [0.2], [0.3]], None, r"\(2, 1\) and \(3, 1\)"),
        ([1, 0], [0.1, 0.2], None, "must both"),
        ([[1], [0]], [[0.1], [0.2]], [1, -1], "weight of case 1 is -1"),
        ([[1], [0]], [[0.1], [0.2]], [NAN, 1], "weight of case 0"),
        ([[1], [0]], [[0.1], [0.2]], [1, 1, 1], "2 cases"),
    ],
)
def test_arrays_that_cannot_be_are_refused(
    labels: list, scores: list, weights: list | None, told: str, wording: Wording
) -> None:
    for metric in ALL:
        with pytest.raises(ValueError, match=told) as caught:
            metric(labels, scores, weights)
        wording(caught.value)


@pytest.mark.parametrize("metric", [metrics.ece, metrics.brier])
def test_logits_have_no_calibration(metric: metrics.Metric, wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        metric([[1], [0]], [[0.5], [1.5]])
    wording(caught.value, "case 1", "finding 0", "1.5")


def test_options_that_cannot_be_are_refused(wording: Wording) -> None:
    labels, scores = np.array([[1.0, 0]]), np.array([[0.5, 0.5]])
    with pytest.raises(ValueError) as caught:
        metrics.f1(labels, scores, threshold=np.array([0.5, 0.5, 0.5]))
    wording(caught.value, "2 findings")
    for bins in (0, 2.5, True):
        with pytest.raises(ValueError) as caught:
            metrics.ece(labels, scores, bins=bins)
        wording(caught.value, "bins", "at least 1")


@pytest.mark.parametrize("bins", [6, 7, 9, 15, 30])
def test_a_score_that_is_an_edge_is_in_the_bin_below(bins: int) -> None:
    edges = [each / bins for each in range(1, bins + 1)]
    assert bin_numbers(np.array(edges), bins).tolist() == list(range(bins))


@pytest.mark.parametrize("size", [1e308, 1e-200, 5e-324])
def test_the_size_of_all_weights_does_not_matter(size: float) -> None:
    labels, scores = np.array([[1.0], [0], [1], [0]]), np.array([[0.6], [0.7], [0.9], [0.1]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for metric in ALL:
            assert metric(labels, scores, [size] * 4) == pytest.approx(metric(labels, scores))
        assert metrics.brier(labels, scores, [size] * 4, scaled=True) == pytest.approx(
            metrics.brier(labels, scores, scaled=True)
        )


def test_a_macro_mean_says_what_it_leaves_out() -> None:
    values, findings = [0.2, NAN, 0.6, 1.0], ["Mass", "Hernia", "Edema", "Normal"]
    assert metrics.macro(values) == metrics.Macro(pytest.approx(0.6), 3, 1)
    assert metrics.macro(values, findings, normal=False) == metrics.Macro(pytest.approx(0.4), 2, 1)
    empty = metrics.macro([NAN, NAN])
    assert (np.isnan(empty.mean), empty.counted, empty.left_out) == (True, 0, 2)


def test_a_macro_mean_needs_the_names_to_leave_normal_out() -> None:
    with pytest.raises(ValueError, match="leave out Normal"):
        metrics.macro([0.5], normal=False)
    with pytest.raises(ValueError, match="2 names"):
        metrics.macro([0.5], ["Mass", "Normal"])
