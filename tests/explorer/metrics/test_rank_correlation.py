"""Rank correlations against SciPy: ties, missing values, many samples at once."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr

from explorer.metrics.rank_correlation import kendall, spearman


@given(st.integers(0, 2**32 - 1), st.integers(0, 9), st.sampled_from([2, 5, 50]), st.sampled_from([0.0, 0.2]))
def test_they_are_those_of_scipy(seed: int, k: int, levels: int, missing: float) -> None:
    dice = np.random.default_rng(seed)
    one, other = dice.integers(0, levels, (2, 4, k)) / 7
    one[dice.random(one.shape) < missing] = np.nan
    tau, rho = kendall(one, other), spearman(one, other)
    for row in range(4):
        there = ~np.isnan(one[row]) & ~np.isnan(other[row])
        a, b = one[row][there], other[row][there]
        if len(set(a)) < 2 or len(set(b)) < 2:
            assert np.isnan(tau[row]) and np.isnan(rho[row])
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of few values SciPy warns about its p
            assert tau[row] == pytest.approx(kendalltau(a, b).statistic)
            assert rho[row] == pytest.approx(spearmanr(a, b).statistic)


def test_values_that_differ_by_rounding_are_equal() -> None:
    assert np.isnan(kendall([0.3, 0.1 + 0.2], [1, 2]))
    assert kendall([1, 2, 3], [0.3, 0.1 + 0.2, 0.5]) == pytest.approx(2 / np.sqrt(6))
