"""Counts by case hold every sum of them; sums over places are those of a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.metrics.case_counts import CaseCounts, CountsMetric, Units
from explorer.metrics.joint_calibration import calibration_error
from explorer.metrics.joint_calls import call_metrics
from explorer.metrics.joint_ranking import by_resample, ranking_metrics_of
from explorer.metrics.place_sums import PlaceSums
from explorer.metrics.resamples import resamples_of


@pytest.mark.parametrize(
    ("each", "kind"), [(1, np.uint16), (32_767, np.uint16), (32_768, np.uint32), (2**31, np.uint64), (0.5, np.float64)]
)
def test_the_smallest_type_that_holds_the_sum(each: float, kind: type) -> None:
    counts = CaseCounts.of(np.full((3, 2), each))
    assert counts.drawn.dtype == kind
    assert (counts.drawn.sum(axis=0, dtype=kind) == 2 * each).all() and counts.floats.tolist() == [[each] * 3] * 2


def test_only_all_cases_drawn_once_are_as_they_are() -> None:
    one = np.ones((1, 4), dtype=np.int64)
    assert CaseCounts.of(one).once and CaseCounts.of(one.astype(float)).once
    assert not CaseCounts.of(np.ones((2, 4), dtype=np.int64)).once and not CaseCounts.of(2 * one).once


@given(st.integers(0, 2**32 - 1))
def test_counts_of_units_give_what_counts_of_their_cases_give(seed: int) -> None:
    """Units 0 and 1 hold three and one of four cases; more cases are drawn at random."""
    dice = np.random.default_rng(seed)
    n, number, models, resamples = 4 + dice.integers(0, 30), 2 + dice.integers(0, 6), 2, 5
    of_case = np.append([0, 0, 0, 1], dice.integers(0, number, n - 4))
    units, drawn = Units(of_case, int(number)), dice.integers(0, 4, (resamples, number))
    by_unit, by_case = CaseCounts.of(drawn, units), CaseCounts.of(drawn[:, of_case])
    assert by_unit.units is units and units.sizes[0] >= 3 and not by_unit.once
    labels = dice.choice([0.0, 1.0, np.nan], (n, 3))
    scores = (dice.integers(0, 6, (models, n, 3)) / 5).astype(np.float32)
    for metric in (
        ranking_metrics_of(labels, scores),
        call_metrics(labels, (scores > 0.5).astype(np.int8)),
        calibration_error(labels, scores, 15),
    ):
        expected = metric(by_case)
        np.testing.assert_allclose(metric(by_unit), expected, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(metric(by_case), expected, rtol=0, atol=0)


def test_resamples_of_patients_give_a_metric_the_same_by_patient_as_by_film() -> None:
    """Films 0, 1, 2 are patient 0's and 3 is patient 1's; resample r draws two patients of the two."""
    drawn = resamples_of(4, 5, 0, [0, 0, 0, 1], None)
    labels, scores = np.array([[1.0], [0], [0], [1]]), np.array([[[0.9], [0.1], [0.8], [0.7]]])
    ranking = ranking_metrics_of(labels, scores)
    metric = CountsMetric(lambda counts: by_resample(ranking(counts)[1, 0]))
    by_film = drawn.evaluate(lambda counts: metric(counts))
    np.testing.assert_array_equal(drawn.evaluate(metric), by_film)
    # Patient 1 twice has no negatives; with each patient once, 3 of 4 pairs are in order.
    assert drawn.counts(range(5))[:, [0, 3]].tolist() == [[0, 2], [0, 2], [1, 1], [0, 2], [1, 1]]
    np.testing.assert_array_equal(by_film[:, 0], [np.nan, np.nan, 0.75, np.nan, 0.75])


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_sums_over_places_are_those_of_a_loop(seed: int, weighted: bool) -> None:
    dice = np.random.default_rng(seed)
    n, models, places, resamples = dice.integers(1, 7, 4)
    place, kept = dice.integers(0, places, (n, models)).astype(np.int32), dice.random((n, models)) < 0.7
    values = dice.integers(0, 9, (n, models)) / 8 if weighted else None
    counts = dice.integers(0, 40_000, (n, resamples)).astype(np.float64 if weighted else np.uint32)
    expected = np.zeros((places, models, resamples))
    for case, model in np.argwhere(kept):
        expected[place[case, model], model] += counts[case] * (1 if values is None else values[case, model])
    found = PlaceSums.of(place, kept, int(places), values).sums(counts)
    assert found.dtype == counts.dtype and found.tolist() == expected.tolist()
