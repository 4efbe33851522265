"""DeLong's covariance by hand, against plain loops, against the bootstrap, and with films of one patient."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import bootstrap
from explorer.metrics.delong import delong
from explorer.metrics.metrics import auroc

# Two films with the finding, two without. Model A: .9 beats both, .4 beats only .1. Model B: .8 beats both, .7 only .3.
LABELS = np.array([1, 1, 0, 0])
SCORES = np.array([[0.9, 0.4, 0.5, 0.1], [0.8, 0.7, 0.3, 0.75]])


def test_a_covariance_by_hand() -> None:
    """Components of positives are 1, .5 for both; of negatives .5, 1 for A and 1, .5 for B: each varies by .125.

    A variance is .125 / 2 + .125 / 2; the covariance is .125 / 2 - .125 / 2.
    """
    found = delong(LABELS, SCORES)
    assert found.areas == pytest.approx([0.75, 0.75])
    assert found.covariance == pytest.approx(np.array([[0.125, 0], [0, 0.125]]))
    assert found.interval() == pytest.approx((0.75 - 1.959964 * 0.125**0.5, 1))
    apart = found.difference(0, 1)
    assert (apart.value, apart.low, apart.high, apart.p) == pytest.approx((0, -1.959964 / 2, 1.959964 / 2, 1))


def test_p_is_that_of_the_normal_quantile() -> None:
    """A difference of 1.96 standard errors has p .05 on two sides, .025 on its own side, .975 on the other."""
    dice = np.random.default_rng(0)
    labels = np.repeat([1, 0], 40)
    scores = dice.random((2, 80)) + np.outer([0.5, 0.3], labels)
    found = delong(labels, scores)
    one, two = found.difference(0, 1, "greater").p, found.difference(0, 1).p
    assert two == pytest.approx(2 * one)
    assert found.difference(0, 1, "less").p == pytest.approx(1 - one)
    assert found.difference(1, 0, "less").p == pytest.approx(one)


def _loop_covariance(labels: Floats, scores: Floats, one: int, other: int) -> float:
    """DeLong's formula, pair by pair."""
    present, absent = np.flatnonzero(labels == 1), np.flatnonzero(labels == 0)
    wins = np.array(
        [[[(s[i] > s[j]) + (s[i] == s[j]) / 2 for j in absent] for i in present] for s in (scores[one], scores[other])]
    )
    rows, columns = wins.mean(axis=2), wins.mean(axis=1)
    return float(np.cov(rows)[0, 1] / len(present) + np.cov(columns)[0, 1] / len(absent))


@given(st.integers(0, 2**32 - 1), st.integers(2, 8), st.integers(2, 9))
def test_ties_and_all_else_are_those_of_a_plain_loop(seed: int, positives: int, negatives: int) -> None:
    dice = np.random.default_rng(seed)
    labels = np.r_[np.ones(positives), np.zeros(negatives), np.nan]
    scores = dice.integers(0, 5, (3, len(labels))) / 5
    found = delong(labels, scores)
    for one, other in np.ndindex(3, 3):
        assert found.covariance[one, other] == pytest.approx(_loop_covariance(labels, scores, one, other), abs=1e-12)
    assert found.areas == pytest.approx(auroc(np.tile(labels[:, None], 3), scores.T))


@given(st.integers(0, 2**32 - 1))
def test_repeating_each_film_of_a_patient_changes_nothing(seed: int) -> None:
    dice = np.random.default_rng(seed)
    labels, scores, patients = np.repeat([1, 0], [5, 7]), dice.random((2, 12)), np.arange(12)
    once = delong(labels, scores, patients)
    thrice = delong(np.tile(labels, 3), np.tile(scores, 3), np.tile(patients, 3))
    assert thrice.covariance == pytest.approx(once.covariance)
    assert once.covariance == pytest.approx(delong(labels, scores).covariance)


@pytest.mark.parametrize("films_each", [1, 4])
def test_intervals_are_about_those_of_the_bootstrap(films_each: int) -> None:
    dice = np.random.default_rng(1)
    patients = np.repeat(np.arange(150), films_each)
    labels = (dice.random(len(patients)) < 0.3).astype(float)
    scores = labels + dice.normal(0, 1, len(patients)) + dice.normal(0, 1, 150)[patients]
    found = delong(labels, scores[None], patients)
    drawn = bootstrap(labels[:, None], scores[:, None], auroc, resamples=2000, unit=patients)
    assert np.sqrt(found.covariance[0, 0]) == pytest.approx(drawn.samples.std(), rel=0.1)
    assert found.interval() == pytest.approx((drawn.low[0], drawn.high[0]), abs=0.02)


@pytest.mark.slow
def test_intervals_hold_the_true_difference() -> None:
    """Of 1,000 samples from two binormal models of equal AUROC, about 95 % of the intervals hold 0."""
    dice = np.random.default_rng(2)
    labels = np.repeat([1, 0], [30, 170])
    held = 0
    for _ in range(1000):
        shared = dice.normal(0, 1, 200)
        apart = delong(labels, labels + shared + dice.normal(0, 0.7, (2, 200))).difference(0, 1)
        held += apart.low <= 0 <= apart.high
        assert (apart.p < 0.05) == (not apart.low <= 0 <= apart.high)
    assert 0.93 < held / 1000 < 0.97


def test_undefined_is_nan_and_never_certain() -> None:
    assert np.isnan(delong(np.ones(3), np.eye(3)).areas).all()
    alone = delong([1, 0, 0], [[0.9, 0.1, 0.2]])
    assert alone.areas == pytest.approx([1])
    assert np.isnan(alone.interval()).all()  # one positive does not vary
    equal = delong(LABELS, np.stack([SCORES[0], SCORES[0]]))
    assert equal.difference(0, 1).p == 1
    certain = delong([1, 1, 0, 0], [[1, 1, 0, 0], [0, 0, 0, 0]]).difference(0, 1)
    assert certain.value == 0.5
    assert np.isnan(certain.p)


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="must be"):
        delong([1, 0], [0.5, 0.4])
    with pytest.raises(ValueError, match="missing"):
        delong([1, 0], [[np.nan, 0.4]])
