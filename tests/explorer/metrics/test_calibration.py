"""Calibration: curves as scikit-learn fits them, kept with where they were fitted, moved to another prevalence."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from explorer.metrics.calibration import Calibration, Method, fit_calibration, prior_shift
from explorer.metrics.leakage import SameCases
from explorer.metrics.metrics import ece
from tests.support.wording import Wording

Floats = NDArray[np.float64]
NAN = np.nan
# What scikit-learn says where its solver starts where no step leads further down.
AT_THE_BOTTOM = pytest.mark.filterwarnings("ignore:Line search of Newton solver")
METHODS: tuple[Method, ...] = ("temperature", "platt", "isotonic")


def sigmoid(x: Floats) -> Floats:
    return 1 / (1 + np.exp(-x))


def overconfident(n: int, seed: int = 0) -> tuple[Floats, Floats]:
    """Labels and logits (n, 1): the true log odds are half the logit less one."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 3, (n, 1))
    return (rng.random((n, 1)) < sigmoid(logits / 2 - 1)).astype(float), logits


def fit(method: Method, labels: Floats, logits: Floats, findings: tuple[str, ...] = ("Mass",)) -> Calibration:
    ids = [f"fit {i}" for i in range(len(labels))]
    return fit_calibration(method, labels, logits, findings, cohort="fit", case_ids=ids, scale="logit")


def others(n: int) -> list[str]:
    return [f"report {i}" for i in range(n)]


def reason(calibration: Calibration) -> str | None:
    return calibration.curves[0].reason


@st.composite
def one_finding(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Labels with unknowns and both classes, logits with ties."""
    n = draw(st.integers(4, 40))
    labels = draw(st.lists(st.sampled_from([0.0, 1.0, NAN]), min_size=n, max_size=n))
    logits = draw(st.lists(st.integers(-8, 8), min_size=n, max_size=n))
    return np.array([0.0, 1.0, *labels])[:, None], np.array([0.0, 1.0, *logits])[:, None] / 2


@given(one_finding())
def test_isotonic_is_scikit_learns(finding: tuple[Floats, Floats]) -> None:
    labels, logits = finding
    known = ~np.isnan(labels)
    theirs = IsotonicRegression(out_of_bounds="clip").fit(logits[known], labels[known])
    new = np.linspace(-6, 6, 50)
    np.testing.assert_allclose(fit("isotonic", *finding).apply(new[:, None], others(50))[:, 0], theirs.predict(new))


@AT_THE_BOTTOM
@given(one_finding())
def test_temperature_is_logistic_regression_without_intercept(finding: tuple[Floats, Floats]) -> None:
    labels, logits = (each[~np.isnan(finding[0])] for each in finding)
    found = fit("temperature", *finding)
    signed = np.where(labels == 1, logits, -logits)
    if signed.min() >= 0:
        assert "right side of 0.5" in reason(found)
    elif signed.sum() <= 0:
        assert "wrong side of 0.5" in reason(found)
    else:
        theirs = LogisticRegression(C=np.inf, fit_intercept=False, solver="newton-cholesky", tol=1e-8)
        slope = float(theirs.fit(logits[:, None], labels).coef_[0, 0])
        assert found.curves[0].curve is not None
        assert asdict(found.curves[0].curve) == {"slope": pytest.approx(slope, rel=1e-4, abs=1e-5), "intercept": 0}


@AT_THE_BOTTOM
@given(one_finding())
def test_platt_is_a_weighted_logistic_regression(finding: tuple[Floats, Floats]) -> None:
    """A target of 0.9 is nine tenths of a positive and one tenth of a negative."""
    labels, logits = (each[~np.isnan(finding[0])] for each in finding)
    positives = labels.sum()
    targets = np.where(labels == 1, (positives + 1) / (positives + 2), 1 / (len(labels) - positives + 2))
    theirs = LogisticRegression(C=np.inf, solver="newton-cholesky", tol=1e-8)
    twice, classes = np.tile(logits, 2)[:, None], np.repeat([1, 0], len(labels))
    theirs.fit(twice, classes, sample_weight=np.concatenate([targets, 1 - targets]))
    slope, found = float(theirs.coef_[0, 0]), fit("platt", *finding)
    if abs(slope) < 1e-6:
        return
    assert (reason(found) is None) == (slope > 0)
    if slope > 0:
        expected = theirs.predict_proba(logits[:, None])[:, 1]
        np.testing.assert_allclose(found.apply(logits[:, None], others(len(logits)))[:, 0], expected, atol=1e-5)


def test_platt_is_what_scikit_learn_calibrates_with() -> None:
    labels, logits = overconfident(300)
    base = LogisticRegression().fit(logits, labels[:, 0])
    base.coef_[:], base.intercept_[:] = 1, 0  # its decision function is the logit itself
    theirs = CalibratedClassifierCV(FrozenEstimator(base), method="sigmoid").fit(logits, labels[:, 0])
    ours = fit("platt", labels, logits).apply(logits, others(300))
    np.testing.assert_allclose(ours[:, 0], theirs.predict_proba(logits)[:, 1], atol=2e-4)


@pytest.mark.parametrize(("method", "rest"), [("temperature", 0.175), ("platt", 0.015), ("isotonic", 0.02)])
def test_it_helps_on_other_cases(method: Method, rest: float) -> None:
    calibration = fit(method, *overconfident(20000))
    labels, logits = overconfident(20000, seed=1)
    before = ece(labels, sigmoid(logits))[0]
    after = ece(labels, calibration.apply(logits, others(20000)))[0]
    assert after < rest < before


def test_the_fitted_parameters_are_the_true_ones() -> None:
    curve = fit("platt", *overconfident(20000)).curves[0].curve
    assert curve is not None
    assert asdict(curve) == {"slope": pytest.approx(0.5, abs=0.02), "intercept": pytest.approx(-1, abs=0.05)}


def test_scores_and_their_logits_are_calibrated_alike_and_scores_of_0_and_1_too() -> None:
    labels, logits = overconfident(200)
    ids = [f"fit {i}" for i in range(200)]
    on_scores = fit_calibration("platt", labels, sigmoid(logits), ["Mass"], cohort="fit", case_ids=ids)
    on_logits = fit("platt", labels, logits).apply(logits, others(200))
    np.testing.assert_allclose(on_scores.apply(sigmoid(logits), others(200)), on_logits, atol=1e-8)
    extremes = on_scores.apply([[0.0], [1.0]], others(2))
    assert 0 < extremes[0, 0] < extremes[1, 0] < 1
    with pytest.raises(ValueError, match=r"must be in \[0, 1\]"):
        on_scores.apply(logits, others(200))


@pytest.mark.parametrize("method", METHODS)
def test_reporting_on_cases_of_the_fit_is_refused(method: Method, wording: Wording) -> None:
    labels, logits = overconfident(50)
    calibration = fit(method, labels, logits)
    with pytest.raises(SameCases) as caught:
        calibration.apply(logits[:2], ["fit 7", "report 1"])
    wording(caught.value, "calibration", method, "50 cases", "1")
    with pytest.raises(ValueError, match="1 ids for 2 cases"):
        calibration.apply(logits[:2], ["report 1"])


@pytest.mark.parametrize("method", METHODS)
def test_calibrations_are_kept_as_json(method: Method) -> None:
    labels, logits = overconfident(50)
    two = np.hstack([labels, np.zeros_like(labels)]), np.hstack([logits, logits])
    calibration = fit(method, *two, ("Mass", "Hernia"))
    again = Calibration.from_dict(json.loads(json.dumps(calibration.to_dict())))
    assert again == calibration
    np.testing.assert_array_equal(again.apply(two[1], others(50)), calibration.apply(two[1], others(50)))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("labels", "logits", "why"),
    [
        ([0, 0], [1, 2], "no positives"),
        ([1, 1, NAN], [1, 2, 3], "no negatives"),
        ([NAN], [1], "no known labels"),
        ([0, 1], [2, 2], "all scores are the same"),
    ],
)
def test_no_curve_has_a_reason(method: Method, labels: list[float], logits: list[float], why: str) -> None:
    calibration = fit(method, np.array(labels)[:, None], np.array(logits, dtype=float)[:, None])
    assert reason(calibration) == why
    found = calibration.apply([[0.5]], ["report"])
    assert np.isnan(found).all()
    assert np.isnan(prior_shift(found, calibration.prevalences, 0.1)).all()


def test_scores_that_fall_with_the_finding_are_not_turned_around(wording: Wording) -> None:
    labels, logits = np.array([[0.0], [0], [1], [1]]), np.array([[3.0], [2], [-1], [-2]])
    wording(reason(fit("platt", labels, logits)))
    level = fit("isotonic", labels, logits).apply([[-3.0], [0], [3]], others(3))
    np.testing.assert_allclose(level, 0.5)


@given(st.floats(1e-6, 1 - 1e-6), st.floats(0.001, 0.999), st.floats(0.001, 0.999), st.floats(0.001, 0.999))
def test_prior_shift_moves_the_odds_and_can_be_undone(p: float, fitted: float, first: float, second: float) -> None:
    moved = prior_shift(p, fitted, first)
    odds = p / (1 - p) * (first / (1 - first)) / (fitted / (1 - fitted))
    assert float(moved) == pytest.approx(odds / (1 + odds))
    assert float(prior_shift(moved, first, second)) == pytest.approx(float(prior_shift(p, fitted, second)))
    assert float(prior_shift(p, fitted, fitted)) == pytest.approx(p)


def test_prior_shift_is_right_where_only_the_prevalence_changes() -> None:
    calibration = fit("platt", *overconfident(20000))
    labels, logits = overconfident(20000, seed=1)
    rare = (labels[:, 0] == 0) | (np.random.default_rng(0).random(20000) < 0.1)  # a tenth of the positives
    labels, logits = labels[rare], logits[rare]
    stated = float(labels.mean())
    plain = calibration.apply(logits, others(len(logits)))
    shifted = prior_shift(plain, calibration.prevalences, stated)
    assert ece(labels, plain)[0] > 0.15
    assert ece(labels, shifted)[0] < 0.015
    assert calibration.prevalences == pytest.approx(0.36, abs=0.03)


def test_small_scores_keep_their_order_and_distance() -> None:
    rng = np.random.default_rng(3)
    logits = rng.normal(-20, 3, (4000, 1))
    labels = (rng.random(logits.shape) < sigmoid(logits + 19)).astype(float)
    ids = [f"fit {i}" for i in range(4000)]
    on_scores = fit_calibration("platt", labels, sigmoid(logits), ["Mass"], cohort="fit", case_ids=ids).curves[0].curve
    on_logits = fit("platt", labels, logits).curves[0].curve
    assert on_scores is not None and on_logits is not None
    assert asdict(on_scores) == pytest.approx(asdict(on_logits), rel=1e-4)  # a few lie under the clip
    assert asdict(on_scores)["slope"] == pytest.approx(1, abs=0.1)


def test_temperature_scaling_has_no_prevalence_to_be_moved_from() -> None:
    """Its mean here is half of the cases, a third of which have the finding."""
    labels, logits = overconfident(20000)
    calibration = fit("temperature", labels, logits)
    found = calibration.apply(logits, others(20000))
    assert labels.mean() < 0.4 < found.mean()
    assert np.isnan(calibration.prevalences).all()
    with pytest.raises(ValueError, match="no intercept"):
        prior_shift(found, calibration.prevalences, 0.1)


def test_prior_shift_warns_of_nothing_at_the_ends() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert prior_shift([0.0, 1, NAN], 0.5, 0.1) == pytest.approx([0, 1, NAN], nan_ok=True)
        assert prior_shift([0.0, 0.5, 1], 1e-310, 0.9) == pytest.approx([0, 1, 1])
        assert prior_shift([0.0, 0.5, 1], 0.9, 1e-310) == pytest.approx([0, 0, 1])


@pytest.mark.parametrize(("p", "fitted", "stated"), [(0.5, 0, 0.5), (0.5, 0.5, 1), (1.5, 0.5, 0.5)])
def test_prior_shift_refuses_what_cannot_be(p: float, fitted: float, stated: float) -> None:
    with pytest.raises(ValueError, match="lies"):
        prior_shift(p, fitted, stated)


def test_scikit_learn_is_not_loaded_to_start() -> None:
    code = "import sys, explorer.metrics.calibration; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
