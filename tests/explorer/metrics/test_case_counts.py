"""Counts by case hold every sum of them; sums over places are those of a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.metrics.case_counts import CaseCounts
from explorer.metrics.place_sums import PlaceSums


@pytest.mark.parametrize(
    ("each", "kind"), [(1, np.uint16), (32_767, np.uint16), (32_768, np.uint32), (2**31, np.uint64), (0.5, np.float64)]
)
def test_the_smallest_type_that_holds_the_sum(each: float, kind: type) -> None:
    counts = CaseCounts.of(np.full((3, 2), each))
    assert counts.by_case.dtype == kind
    assert (counts.by_case.sum(axis=0, dtype=kind) == 2 * each).all() and counts.floats.tolist() == [[each] * 3] * 2


def test_only_all_cases_drawn_once_are_as_they_are() -> None:
    one = np.ones((1, 4), dtype=np.int64)
    assert CaseCounts.of(one).once and CaseCounts.of(one.astype(float)).once
    assert not CaseCounts.of(np.ones((2, 4), dtype=np.int64)).once and not CaseCounts.of(2 * one).once


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
