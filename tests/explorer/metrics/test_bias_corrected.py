"""Bias-corrected intervals by hand and against the known distribution of a biased figure."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from explorer.metrics.bias_corrected import bias_corrected_interval, interval_of, intervals_of
from explorer.metrics.bootstrap import percentile_interval


def test_without_bias_it_is_the_percentile_interval() -> None:
    samples = np.arange(1001) / 1000
    assert bias_corrected_interval(samples, 0.5, 9) == pytest.approx(percentile_interval(samples, 9))


def test_both_ends_move_by_twice_the_quantile_of_the_point() -> None:
    """84.13 % of the samples lie below the point: z0 is 1, and the ends are the quantiles at 2 -/+ 1.96."""
    samples = np.arange(100001) / 100000
    expected = norm.cdf(2 - 1.959964), norm.cdf(2 + 1.959964)
    assert bias_corrected_interval(samples, norm.cdf(1), 9) == pytest.approx(expected, abs=1e-4)


def test_a_point_beyond_all_samples_ends_at_the_outermost() -> None:
    assert bias_corrected_interval(np.array([0.1, 0.2, 0.3]), 0.5, 9) == (0.3, 0.3)
    assert bias_corrected_interval(np.array([0.1, 0.2, 0.3]), 0.0, 9) == (0.1, 0.1)


def test_equal_samples_count_one_half_and_one_patient_tells_nothing() -> None:
    samples = np.full(20, 0.7)
    assert bias_corrected_interval(samples, 0.7, 9) == (0.7, 0.7)
    assert np.isnan(bias_corrected_interval(samples, 0.7, 1)).all()
    assert np.isnan(bias_corrected_interval(samples, np.nan, 9)).all()


def test_columns_are_computed_one_by_one() -> None:
    samples = np.random.default_rng(0).random((50, 2))
    samples[3, 1] = np.nan
    low, high = intervals_of("bias-corrected", samples, np.array([0.4, 0.6]), np.array([9, 1]))
    assert (low[0], high[0]) == bias_corrected_interval(samples[:, 0], 0.4, 9)
    assert np.isnan([low[1], high[1]]).all()
    assert interval_of("percentile", samples[:, 1], 0.6, 9) == percentile_interval(samples[:, 1], 9)


@pytest.mark.slow
def test_intervals_of_a_figure_that_resampling_raises_hold_it_more_often() -> None:
    """The variance of 20 numbers is too low in resamples by 1 / 20; of 600 intervals, more hold the true one."""
    dice, held = np.random.default_rng(1), np.zeros(2)
    for _ in range(600):
        drawn = dice.normal(0, 1, 20)
        samples = dice.choice(drawn, (400, 20)).var(axis=1)
        for place, kind in enumerate(("percentile", "bias-corrected")):
            low, high = interval_of(kind, samples, float(drawn.var()), 20)  # type: ignore[arg-type]
            held[place] += low <= 1 <= high
    assert held[1] > held[0] + 6
