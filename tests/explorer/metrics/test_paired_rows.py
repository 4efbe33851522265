"""Paired differences, their p and its adjustment, against plain loops and SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control

from explorer.metrics.bootstrap import interval
from explorer.metrics.paired_rows import benjamini_hochberg, least_p, paired_rows, two_sided_p


@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_differences_are_those_of_a_plain_loop(seed: int, models: int) -> None:
    dice = np.random.default_rng(seed)
    point, samples = dice.random(models), dice.integers(0, 5, (30, models)) / 5
    samples[dice.random(samples.shape) < 0.1] = np.nan
    reference = int(dice.integers(models))
    found = paired_rows(point, samples, reference, 9)
    for model in range(models):
        if model == reference:
            assert np.isnan([found.value[model], found.low[model], found.p[model], found.adjusted[model]]).all()
            continue
        less = [one - other for one, other in zip(samples[:, model], samples[:, reference], strict=True)]
        less = [each for each in less if not math.isnan(each)]
        assert found.value[model] == pytest.approx(point[model] - point[reference])
        assert (found.low[model], found.high[model]) == pytest.approx(interval(np.array(less), 9))
        fewer = min(sum(each <= 1e-12 for each in less), sum(each >= -1e-12 for each in less))
        assert found.p[model] == pytest.approx(min(1, 2 * (fewer + 1) / (len(less) + 1)))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_adjusted_p_is_scipys(p: list[float]) -> None:
    assert benjamini_hochberg(np.array(p)) == pytest.approx(false_discovery_control(p))


def test_what_is_undefined_is_no_row() -> None:
    assert benjamini_hochberg(np.array([np.nan, 0.01, 0.04]))[1:] == pytest.approx([0.02, 0.04])
    assert np.isnan(benjamini_hochberg(np.array([np.nan, 0.01])))[0]
    assert math.isnan(two_sided_p(np.array([np.nan])))


def test_equal_models_do_not_differ_and_one_patient_tells_nothing() -> None:
    samples = np.tile(np.random.default_rng(0).random((20, 1)), 2)
    assert paired_rows(samples[0], samples, 0, 5).p[1] == 1
    assert np.isnan(paired_rows(samples[0], samples, 0, 1).p[1])


def test_the_least_p_is_that_of_resamples_that_all_agree() -> None:
    assert two_sided_p(np.ones(1000)) == least_p(1000) == 2 / 1001
    assert least_p(1) == 1
