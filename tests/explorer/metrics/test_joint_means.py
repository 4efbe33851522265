"""Means over the findings that all models have, against a loop in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.joint_means import joint_means


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(1, 5), st.sampled_from([0.0, 0.3, 0.9]))
def test_every_mean_is_that_of_a_plain_loop(seed: int, models: int, findings: int, missing: float) -> None:
    dice = np.random.default_rng(seed)
    points, samples = dice.random((models, findings)), dice.random((7, models, findings))
    points[dice.random(points.shape) < missing] = np.nan
    samples[dice.random(samples.shape) < missing] = np.nan
    members = sorted(dice.choice(findings, size=int(dice.integers(1, findings + 1)), replace=False).tolist())
    units = dice.integers(1, 9, findings)
    found = joint_means(points, samples, members, units)

    compared = [model for model in range(models) if any(not math.isnan(points[model, k]) for k in members)]
    counted = [k for k in members if compared and not any(math.isnan(points[model, k]) for model in compared)]
    assert list(found.counted) == counted
    for model in range(models):
        there = counted and model in compared
        mean = sum(points[model, k] for k in counted) / len(counted) if there else math.nan
        assert found.point[model] == pytest.approx(mean, nan_ok=True)
        for r in range(len(samples)):
            defined = [k for k in counted if not any(math.isnan(samples[r, other, k]) for other in compared)]
            value = sum(samples[r, model, k] for k in defined) / len(defined) if there and defined else math.nan
            assert found.samples[r, model] == pytest.approx(value, nan_ok=True)
    if counted:
        assert found.units == max(units[k] for k in counted)


def test_a_model_without_the_metric_is_not_compared_and_narrows_nothing() -> None:
    points = np.array([[0.5, 0.7], [np.nan, np.nan], [0.1, np.nan]])
    found = joint_means(points, np.empty((0, 3, 2)), (0, 1), np.array([4, 4]))
    assert found.counted == (0,)
    assert found.point.tolist()[0] == 0.5 and np.isnan(found.point[1]) and found.point[2] == 0.1


def test_the_interval_is_the_percentile_interval_and_none_where_nothing_is_known() -> None:
    samples = np.random.default_rng(0).random((50, 2, 1))
    points, units = np.array([[0.5], [0.6]]), np.array([9])
    assert joint_means(points, samples, (0,), units).interval(1) == percentile_interval(samples[:, 1, 0], 9)
    assert joint_means(points, samples[:0], (0,), units).interval(1) is None
    assert joint_means(points, samples, (0,), np.array([1])).interval(1) is None
    assert joint_means(points, np.ones((50, 2, 1)), (0,), units).interval(0) is None
