"""Calibration slope and intercept by hand, against scikit-learn, and whether intervals hold the truth."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from explorer.core.arrays import Floats
from explorer.metrics.calibration_curves import sigmoid
from explorer.metrics.calibration_line import calibration_line


def logit(p: Floats) -> Floats:
    found: Floats = np.log(p / (1 - p))
    return found


def test_two_scores_by_hand() -> None:
    """Of films scored .2, a quarter have it; of those scored .8, three quarters: logits -/+ ln 4, truth -/+ ln 3.

    The slope is ln 3 / ln 4. As many are too high as too low: the intercept is 0.
    """
    scores, labels = np.repeat([0.2, 0.8], 4), np.array([1, 0, 0, 0, 1, 1, 1, 0], float)
    found = calibration_line(labels, scores, np.arange(8))
    assert found.slope.value == pytest.approx(np.log(3) / np.log(4))
    assert found.intercept.value == pytest.approx(0, abs=1e-9)
    assert found.slope.low < found.slope.value < found.slope.high


def test_a_score_too_high_everywhere_has_an_intercept_below_0() -> None:
    """All are scored .5, a quarter have it: the intercept is the logit of .25, and there is no slope."""
    found = calibration_line(np.array([1.0, 0, 0, 0]), np.full(4, 0.5), np.arange(4))
    assert found.intercept.value == pytest.approx(np.log(1 / 3))
    # One of four: the variance is (0.75^2 + 3 * 0.25^2) * 4 / 3 over (4 * 3 / 16)^2.
    assert found.intercept.high - found.intercept.value == pytest.approx(1.959964 * (1.0 / 0.75**2) ** 0.5)
    assert np.isnan(found.slope.value)


def test_the_slope_is_that_of_logistic_regression() -> None:
    dice = np.random.default_rng(0)
    p = dice.uniform(0.02, 0.98, 400)
    labels = (dice.random(400) < sigmoid(0.5 * logit(p) - 1)).astype(float)
    labels[:20] = np.nan
    expected = LogisticRegression(C=np.inf, tol=1e-10).fit(logit(p[20:, None]), labels[20:])
    assert calibration_line(labels, p, np.arange(400)).slope.value == pytest.approx(expected.coef_[0, 0], rel=1e-4)


def test_films_of_a_patient_count_together() -> None:
    dice = np.random.default_rng(0)
    p = dice.uniform(0.02, 0.98, 200)
    labels, patients = (dice.random(200) < p).astype(float), np.arange(200)
    once = calibration_line(labels, p, patients)
    thrice = calibration_line(np.tile(labels, 3), np.tile(p, 3), np.tile(patients, 3))
    for one, three in ((once.slope, thrice.slope), (once.intercept, thrice.intercept)):
        assert (three.value, three.low, three.high) == pytest.approx((one.value, one.low, one.high), abs=1e-6)


@pytest.mark.slow
def test_intervals_hold_the_truth() -> None:
    """Scores that are too extreme by 1 / 0.7: of 400 samples, about 95 % of the intervals hold the slope 0.7."""
    dice, held = np.random.default_rng(3), 0
    for _ in range(400):
        p = sigmoid(dice.normal(-1, 1.5, 500))
        labels = (dice.random(500) < sigmoid(0.7 * logit(p))).astype(float)
        slope = calibration_line(labels, p, np.arange(500)).slope
        held += slope.low <= 0.7 <= slope.high
    assert 0.92 < held / 400 < 0.98


@pytest.mark.parametrize("labels", [[1.0, 1, 1], [0.0, 0, 0], [np.nan, 1, 1]])
def test_one_class_has_neither(labels: list[float]) -> None:
    found = calibration_line(np.array(labels), np.array([0.2, 0.5, 0.7]), np.arange(3))
    assert np.isnan([found.slope.value, found.intercept.value]).all()


def test_classes_that_a_score_separates_have_no_slope() -> None:
    found = calibration_line(np.array([0.0, 0, 1, 1]), np.array([0.0, 0.2, 0.7, 1.0]), np.arange(4))
    assert np.isnan(found.slope.value) and np.isfinite(found.intercept.value)
