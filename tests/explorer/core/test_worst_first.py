"""How far each pair is on the wrong side of its threshold, or of what is usual for its finding."""

from __future__ import annotations

import math

import numpy as np
import pytest

from explorer.core.worst_first import above_usual, badness


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


def test_without_a_chosen_threshold_a_score_stands_by_its_place() -> None:
    among = np.array([0.1, 0.1, 0.2, 0.3, 0.9], np.float32)
    above = above_usual(among, among, present=1, known=5)  # one in five has the finding: places from 0.8 are above
    assert above == pytest.approx([math.log(p / (1 - p)) - math.log(4) for p in (0.2, 0.2, 0.5, 0.7, 0.9)])
    squashed = np.exp(among * 9)  # another scale, the same order
    assert (above_usual(squashed, squashed, 1, 5) == above).all()


@pytest.mark.parametrize(("present", "known", "usual"), [(0, 4, 0.875), (4, 4, 0.125), (0, 0, 0.5)])
def test_what_is_usual_where_all_or_none_have_the_finding_or_nobody_knows(
    present: int, known: int, usual: float
) -> None:
    among = np.arange(4) / 10
    (lowest,) = above_usual(among[:1], among, present, known)
    assert lowest == pytest.approx(math.log(0.125 / 0.875) - math.log(usual / (1 - usual)))
