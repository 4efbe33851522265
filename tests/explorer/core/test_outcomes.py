"""Outcomes of pairs, and how far each is on the wrong side of its threshold."""

from __future__ import annotations

import math

import numpy as np
import pytest

from explorer.core.outcomes import badness, badness_of


def of(label: float, score: float, threshold: float, *, margins: bool = False) -> float:
    """The badness of one pair."""
    return float(badness(np.array([label]), np.array([score]), np.array([threshold]), margins=margins)[0])


def test_misses_of_low_and_high_thresholds_are_as_bad_at_the_same_odds() -> None:
    low, high = of(1, 0.001, 0.01), of(1, 0.5, 1 - 1 / (1 + (0.01 / 0.99) / (0.001 / 0.999)))
    assert low == pytest.approx(math.log((0.01 / 0.99) / (0.001 / 0.999)))
    assert low == pytest.approx(high)
    assert of(1, 0.001, 0.01) > of(1, 0.4, 0.5)  # which in plain differences is eleven times as bad


@pytest.mark.parametrize("threshold", [0.01, 0.5, 0.99])
def test_a_pair_is_on_the_wrong_side_where_its_outcome_is(threshold: float) -> None:
    for score in (0.0, 0.005, 0.3, 0.7, 0.995, 1.0):
        called = score >= threshold
        assert (of(1, score, threshold) > 0) == (not called)
        assert (of(0, score, threshold) >= 0) == called
        assert of(np.nan, score, threshold) == of(0, score, threshold)


def test_scores_of_0_and_1_have_a_place_and_a_missing_threshold_has_none() -> None:
    assert np.isfinite([of(1, 0.0, 0.5), of(0, 1.0, 0.5), of(1, 0.0, 1.0)]).all()
    assert math.isnan(of(1, 0.5, np.nan))


def test_margins_are_compared_as_they_are() -> None:
    assert of(1, -0.02, 0.01, margins=True) == pytest.approx(0.03)
    assert badness_of("absent", 0.25, 0.125, margins=True) == 0.125
