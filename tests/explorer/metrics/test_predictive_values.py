"""Predictive values at a stated prevalence, and how often their intervals hold the truth."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from explorer.core.rates import Rate
from explorer.metrics.predictive_values import PredictiveValue, predictive_values


def test_an_example_worked_by_hand() -> None:
    """At 1 % prevalence 10,000 films hold 100 with the finding, of which 90 are called, and 9,900 without, of which
    495 are: PPV 90 / 585, NPV 9,405 / 9,415."""
    found = predictive_values(Rate(90, 100), Rate(1900, 2000), 0.01)
    assert found.ppv is not None and found.npv is not None
    assert found.ppv.value == pytest.approx(90 / 585)
    assert found.npv.value == pytest.approx(9405 / 9415)
    assert found.ppv.interval[0] < 90 / 585 < found.ppv.interval[1]


@given(st.integers(1, 60), st.integers(1, 300), st.data(), st.floats(0.0001, 0.9999))
def test_values_lie_in_their_intervals_and_turning_everything_around_swaps_them(
    positives: int, negatives: int, data: st.DataObject, prevalence: float
) -> None:
    sensitivity = Rate(data.draw(st.integers(0, positives)), positives)
    specificity = Rate(data.draw(st.integers(0, negatives)), negatives)
    found = predictive_values(sensitivity, specificity, prevalence)
    for each in (found.ppv, found.npv):
        if each is not None:
            low, high = each.interval
            assert 0 <= low <= each.value + 1e-12 and each.value - 1e-12 <= high <= 1
            assert low < high
    turned = predictive_values(specificity, sensitivity, 1 - prevalence)
    for one, other in ((found.ppv, turned.npv), (found.npv, turned.ppv)):
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one.value == pytest.approx(other.value)
            assert one.interval == pytest.approx(other.interval)


def test_where_nothing_or_everything_is_called() -> None:
    nothing = predictive_values(Rate(0, 10), Rate(100, 100), 0.1)
    assert nothing.ppv is None
    assert nothing.npv is not None and nothing.npv.value == pytest.approx(0.9)
    assert predictive_values(Rate(10, 10), Rate(0, 100), 0.1).npv is None
    unknown = predictive_values(Rate(0, 0), Rate(5, 10), 0.1)
    assert (unknown.ppv, unknown.npv) == (None, None)


def test_without_a_false_alarm_ppv_is_1_but_not_surely() -> None:
    found = predictive_values(Rate(8, 10), Rate(100, 100), 0.01).ppv
    assert isinstance(found, PredictiveValue)
    assert (found.value, found.interval[1]) == (1, 1)
    assert found.interval[0] < 0.3


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, math.nan])
def test_a_prevalence_that_cannot_be_is_refused(prevalence: float) -> None:
    with pytest.raises(ValueError, match="not a prevalence"):
        predictive_values(Rate(1, 2), Rate(1, 2), prevalence)


@pytest.mark.slow
@pytest.mark.parametrize("positives", [10, 50])
@pytest.mark.parametrize(("sensitivity", "specificity"), [(0.5, 0.7), (0.8, 0.9), (0.95, 0.99)])
def test_the_interval_holds_the_truth_as_often_as_it_says(
    positives: int, sensitivity: float, specificity: float
) -> None:
    """Over all samples that can be drawn, each with its chance. The prevalence moves both ends alike."""
    negatives, prevalence = 100, 0.1
    true = sensitivity * prevalence / (sensitivity * prevalence + (1 - specificity) * (1 - prevalence))
    held = 0.0
    for hits in range(positives + 1):
        for kept in range(negatives + 1):
            chance = binom.pmf(hits, positives, sensitivity) * binom.pmf(kept, negatives, specificity)
            if chance > 1e-7:
                ppv = predictive_values(Rate(hits, positives), Rate(kept, negatives), prevalence).ppv
                held += chance * (ppv is None or ppv.interval[0] <= true <= ppv.interval[1])
    assert 0.935 < held < 0.97
