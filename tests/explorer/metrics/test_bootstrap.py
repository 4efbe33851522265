"""The bootstrap: every resample is what the plain loop over it gives."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

from explorer.core.arrays import Floats
from explorer.metrics import metrics
from explorer.metrics.bootstrap import (
    Bootstrap,
    bootstrap,
    difference,
    macro_interval,
)
from tests.support.arrays import Cases, cases
from tests.support.wording import Wording

NAN = np.nan
METRICS: dict[str, tuple[metrics.Metric, dict[str, Any]]] = {
    "average precision": (metrics.average_precision, {}),
    "auroc": (metrics.auroc, {}),
    "precision": (metrics.precision, {"threshold": 0.4}),
    "recall": (metrics.recall, {}),
    "sensitivity": (metrics.sensitivity, {}),
    "specificity": (metrics.specificity, {}),
    "f1": (metrics.f1, {"threshold": 0.2}),
    "ece": (metrics.ece, {"bins": 4}),
    "brier": (metrics.brier, {}),
    "scaled brier": (metrics.brier, {"scaled": True}),
}
every_metric = pytest.mark.parametrize(("metric", "options"), METRICS.values(), ids=METRICS)


def rows_drawn(seed: int, r: int, n: int, unit: list[str] | None) -> np.ndarray:
    """The rows of resample r, as the issue words it."""
    rng = np.random.default_rng([seed, r])
    if unit is None:
        return rng.integers(0, n, n)
    names = sorted(set(unit))
    drawn = rng.integers(0, len(names), len(names))
    return np.concatenate([np.flatnonzero(np.array(unit) == names[each]) for each in drawn])


def plain_loop(
    drawn: Cases, metric: metrics.Metric, resamples: int, seed: int, unit: list[str] | None, **options: object
) -> Floats:
    samples = [drawn.at(rows_drawn(seed, r, drawn.n, unit)) for r in range(resamples)]
    return np.array([metric(each.labels, each.scores, each.weights, **options) for each in samples])


@pytest.mark.slow
@every_metric
@settings(max_examples=30)  # of 7 resamples each
@given(drawn=cases(12), data=st.data(), seed=st.integers(0, 2**32))
def test_every_resample_is_that_of_the_plain_loop(
    metric: metrics.Metric, options: dict[str, Any], drawn: Cases, data: st.DataObject, seed: int
) -> None:
    units = st.lists(st.sampled_from("abcd"), min_size=drawn.n, max_size=drawn.n)
    unit = data.draw(st.none() | units)
    result = bootstrap(drawn.labels, drawn.scores, metric, 7, seed, unit, drawn.weights, **options)
    loop = plain_loop(drawn, metric, 7, seed, unit, **options)
    assert result.samples == pytest.approx(loop, rel=1e-9, abs=1e-9, nan_ok=True)
    assert result.point == pytest.approx(metric(drawn.labels, drawn.scores, drawn.weights, **options), nan_ok=True)
    assert result.undefined.tolist() == np.isnan(loop).sum(axis=0).tolist()


@pytest.fixture(scope="module")
def tail() -> Cases:
    """3,000 cases, 5 findings from 30 % down to 0.2 %, scores tied at two decimals."""
    rng = np.random.default_rng(7)
    labels = (rng.random((3000, 5)) < [0.3, 0.1, 0.03, 0.01, 0.002]).astype(float)
    scores = np.round(1 / (1 + np.exp(1.5 - rng.normal(size=labels.shape) - 1.5 * labels)), 2)
    return Cases(labels, scores, None)


@pytest.mark.parametrize(
    ("metric", "reference"),
    [
        (metrics.average_precision, average_precision_score),
        (metrics.auroc, roc_auc_score),
        (metrics.f1, lambda labels, scores: f1_score(labels, scores >= 0.5)),
    ],
    ids=["average precision", "auroc", "f1"],
)
def test_resamples_over_several_chunks_are_those_of_scikit_learn(
    metric: metrics.Metric, reference: metrics.Metric, tail: Cases
) -> None:
    """60 resamples are three chunks and 15 words; each row must stand in its own place."""
    samples = bootstrap(tail.labels, tail.scores, metric, 60, seed=3).samples
    for r in (0, 23, 24, 37, 59):
        one = tail.at(rows_drawn(3, r, tail.n, None))
        loop = [reference(one.labels[:, k], one.scores[:, k]) if one.labels[:, k].any() else NAN for k in range(5)]
        assert samples[r] == pytest.approx(loop, abs=1e-9, nan_ok=True)


def test_more_resamples_begin_with_the_same(tail: Cases) -> None:
    few = bootstrap(tail.labels, tail.scores, metrics.auroc, 5).samples
    assert bootstrap(tail.labels, tail.scores, metrics.auroc, 50).samples[:5].tolist() == few.tolist()


def test_the_interval_is_of_the_defined_samples() -> None:
    result = Bootstrap.of(
        np.array([0.5, NAN]), np.array([[0.1, NAN], [0.2, NAN], [NAN, NAN], [0.4, NAN]]), np.array([4, 0])
    )
    assert (result.low[0], result.high[0]) == pytest.approx(np.quantile([0.1, 0.2, 0.4], [0.025, 0.975]))
    assert np.isnan([result.low[1], result.high[1]]).all()
    assert result.undefined.tolist() == [1, 4]


def test_a_single_positive_is_missing_from_a_third_of_the_resamples() -> None:
    labels = np.zeros((200, 1))
    labels[17] = 1
    undefined = bootstrap(labels, np.arange(200.0)[:, None], metrics.auroc).undefined[0]
    assert undefined / 1000 == pytest.approx((1 - 1 / 200) ** 200, abs=0.05)  # 0.367


def test_the_interval_covers_what_it_should() -> None:
    """Of 200 cohorts of 150 positives, about 95 % of the intervals hold the true sensitivity, 0.8."""
    rng = np.random.default_rng(11)
    labels, scores = np.ones((150, 200)), (rng.random((150, 200)) < 0.8).astype(float)
    result = bootstrap(labels, scores, metrics.sensitivity, 500)
    assert 0.90 <= np.mean((result.low <= 0.8) & (result.high >= 0.8)) <= 0.98


def test_patients_drawn_whole_make_the_interval_wider(tail: Cases) -> None:
    """Ten films of each patient with the same label and score tell no more than one."""
    labels, scores = (np.repeat(each[:300, :1], 10, axis=0) for each in (tail.labels, tail.scores))
    films = bootstrap(labels, scores, metrics.auroc, 2000)
    patients = bootstrap(labels, scores, metrics.auroc, 2000, unit=np.repeat(np.arange(300), 10))
    assert patients.samples.std() / films.samples.std() == pytest.approx(np.sqrt(10), rel=0.1)
    assert (patients.high - patients.low) / (films.high - films.low) == pytest.approx(np.sqrt(10), rel=0.15)


def test_models_are_compared_on_the_same_resamples(tail: Cases) -> None:
    other = np.round(tail.scores, 1)
    one, two = (bootstrap(tail.labels, scores, metrics.auroc, 30, 5) for scores in (tail.scores, other))
    result = difference(one, two)
    assert result.samples == pytest.approx(one.samples - two.samples, nan_ok=True)
    assert result.point == pytest.approx(metrics.auroc(tail.labels, tail.scores) - metrics.auroc(tail.labels, other))
    assert np.nanmax(np.abs(difference(one, one).samples)) == 0


def test_a_difference_is_of_findings_that_agree() -> None:
    one, two = (Bootstrap.of(np.zeros(k), np.zeros((3, k)), np.full(k, 3)) for k in (1, 2))
    with pytest.raises(ValueError, match="must agree"):
        difference(one, two)


def test_the_macro_interval_is_of_the_mean_of_each_resample() -> None:
    samples = np.array([[0.2, 0.4, NAN, 0.9], [0.4, NAN, NAN, 0.9], [NAN, NAN, NAN, 0.9], [0.6, 0.8, NAN, 0.9]])
    result = Bootstrap.of(np.array([0.4, 0.6, NAN, 0.9]), samples, np.array([4, 4, 0, 4]))
    assert macro_interval(result, [0, 1, 2]) == pytest.approx((0.5, *np.quantile([0.3, 0.4, 0.7], [0.025, 0.975])))
    assert np.isnan(macro_interval(result, [2])).all()
    assert np.isnan(macro_interval(result, [])).all()


def test_undefined_findings_warn_nobody() -> None:
    labels = np.array([[NAN, 0, 1, 1], [NAN, 0, 1, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for metric, options in METRICS.values():
            result = bootstrap(labels, np.full((2, 4), 0.5), metric, 30, **options)
            assert np.isnan(result.point[0])
            macro_interval(result, range(4))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"resamples": 0}, "2 cases and 0 resamples"),
        ({"unit": ["a"]}, "2 cases"),
        ({"unit": ["a", None]}, "Case 1 has no unit"),
        ({"unit": [NAN, 1.0]}, "Case 0 has no unit"),
        ({"unit": np.array(["2020-01-01", "NaT"], dtype="M8[D]")}, "Case 0"),
        ({"unit": ["a", NAN]}, "Case 1 has no unit"),
        ({"unit": ["a", " "]}, "Case 1 has no unit"),
        ({"unit": ["1", 1]}, "unit of case 1"),
        ({"weights": [1, NAN]}, "weight of case 1"),
        ({"metric": np.mean}, "average_precision, auroc"),
    ],
)
def test_what_cannot_be_is_refused(changed: dict[str, Any], told: str, wording: Wording) -> None:
    arguments = {"labels": [[1], [0]], "scores": [[0.2], [0.1]], "metric": metrics.auroc, **changed}
    with pytest.raises(ValueError, match=told) as caught:
        bootstrap(**arguments)
    wording(re.sub(r" at 0x\w+", "", str(caught.value)))


def test_no_cases_cannot_be_drawn() -> None:
    with pytest.raises(ValueError, match="0 cases"):
        bootstrap(np.empty((0, 1)), np.empty((0, 1)), metrics.auroc)


def test_an_option_that_the_metric_does_not_have_is_an_exception(tail: Cases) -> None:
    with pytest.raises(TypeError, match="bins"):
        bootstrap(tail.labels, tail.scores, metrics.auroc, 5, bins=3)


def test_one_unit_has_no_interval(tail: Cases) -> None:
    """A finding known in one case, or in the cases of one patient; a mean has one where any finding has."""
    labels, scores = tail.labels[:200].copy(), tail.scores[:200]
    labels[1:, 0] = NAN
    labels[3:, 1] = NAN
    patients = np.repeat(np.arange(50), 4)
    by_case = bootstrap(labels, scores, metrics.ece, 20)
    by_patient = bootstrap(labels, scores, metrics.ece, 20, unit=patients)
    assert by_case.units.tolist() == [1, 3, 200, 200, 200]
    assert by_patient.units.tolist() == [1, 1, 50, 50, 50]
    assert np.isnan(by_case.low).tolist() == [True, False, False, False, False]
    assert np.isnan(by_patient.high).tolist() == [True, True, False, False, False]
    assert not np.isnan(by_patient.point).any()
    assert np.isnan(macro_interval(by_patient, [0, 1])).tolist() == [False, True, True]
    assert not np.isnan(macro_interval(by_patient, [0, 2])).any()
    assert np.isnan(difference(by_case, by_patient).low).tolist() == [True, True, False, False, False]
    weightless = bootstrap(labels, scores, metrics.ece, 20, weights=np.arange(200) < 1)
    assert weightless.units.tolist() == [1, 1, 1, 1, 1]


def test_percentile_intervals_of_ece_sit_too_high_as_the_docstrings_say() -> None:
    """Perfectly calibrated scores: resampling adds noise to ECE, so that its interval is above the value itself."""
    rng = np.random.default_rng(0)
    scores = rng.beta(1, 4, (400, 10))
    result = bootstrap((rng.random(scores.shape) < scores).astype(float), scores, metrics.ece, 200)
    point, low, _ = macro_interval(result, range(10))
    assert point < low
    assert all("too high" in (each.__doc__ or "") for each in (metrics.ece, bootstrap))
