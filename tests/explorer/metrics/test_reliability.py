"""Reliability bins: each known case in one of them, and the same as ECE sums over."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from explorer.core.rates import Rate
from explorer.metrics.metrics import ece
from explorer.metrics.reliability import Bin, Binning, reliability

NAN = np.nan


def column(values: list[float]) -> NDArray[np.float64]:
    return np.array(values)[:, None]


def test_an_example_worked_by_hand() -> None:
    labels, scores = column([0, 1, 0, 1, NAN]), column([0.0, 0.5, 0.6, 1.0, 0.9])
    assert reliability(labels, scores, 2) == ((Bin(0.0, 0.5, 0.25, Rate(1, 2)), Bin(0.5, 1.0, 0.8, Rate(1, 2))),)
    assert reliability(labels, scores, 3, "equal mass") == (
        (Bin(0.0, 0.0, 0.0, Rate(0, 1)), Bin(0.5, 0.6, 0.55, Rate(1, 2)), Bin(1.0, 1.0, 1.0, Rate(1, 1))),
    )


def test_edges_are_the_fractions_themselves() -> None:
    (bins,) = reliability(column([1.0]), column([6 / 7]), 7)
    assert [each.high for each in bins] == [each / 7 for each in range(1, 8)]
    assert bins[5].present.n == 1


def test_an_empty_bin_has_no_rate_rather_than_0() -> None:
    (bins,) = reliability(column([1.0]), column([0.9]), 2)
    assert (bins[0].mean_score, bins[0].present.value, bins[0].present.interval) == (None, None, None)


pairs = st.lists(
    st.tuples(st.sampled_from([0.0, 1.0, NAN]), st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.2, 0.4, 0.6, 1.0]))),
    min_size=1,
    max_size=50,
)


@given(pairs, st.integers(1, 20))
def test_bins_of_equal_width_are_those_of_ece(both: list[tuple[float, float]], bins: int) -> None:
    labels, scores = column([label for label, _ in both]), column([score for _, score in both])
    (found,) = reliability(labels, scores, bins)
    n = sum(each.present.n for each in found)
    assert len(found) == bins
    assert n == np.sum(~np.isnan(labels))
    if n:
        gaps = [abs(b.mean_score - b.present.value) * b.present.n for b in found if b.mean_score is not None]
        assert sum(gaps) / n == pytest.approx(ece(labels, scores, bins=bins)[0])


@given(pairs, st.integers(1, 20))
def test_bins_of_equal_mass_never_part_equal_scores(both: list[tuple[float, float]], bins: int) -> None:
    known = [pair for pair in both if not np.isnan(pair[0])]
    (found,) = reliability(
        column([label for label, _ in both]), column([score for _, score in both]), bins, "equal mass"
    )
    assert len(found) <= bins
    assert sum(each.present.n for each in found) == len(known)
    assert sum(each.present.hits for each in found) == sum(label for label, _ in known)
    for left, right in zip(found, found[1:], strict=False):
        assert left.high < right.low
    if len({score for _, score in known}) == len(known):  # no ties
        sizes = [each.present.n for each in found]
        assert not sizes or max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("binning", ["equal width", "equal mass"])
def test_scores_outside_0_and_1_and_no_bins_are_refused(binning: Binning) -> None:
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        reliability(column([1.0]), column([1.2]), binning=binning)
    with pytest.raises(ValueError, match="number of bins"):
        reliability(column([1.0]), column([0.2]), 0, binning)
