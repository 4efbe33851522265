"""Measures of agreement: worked examples of the literature, and scikit-learn's kappa."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import cohen_kappa_score

from explorer.metrics.agreement import (
    AgreementMeasure,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac1,
    majority_of_others,
    percent_agreement,
)
from tests.support.wording import Wording

Floats = NDArray[np.float64]
NAN = np.nan
THREE = (0.0, 1.0, 2.0)
MEASURES: list[AgreementMeasure] = [percent_agreement, cohen_kappa, fleiss_kappa, gwet_ac1]


def ratings_of(table: list[list[int]]) -> Floats:
    """Two raters' ratings, from how often the first chose the row and the second the column."""
    return np.array([pair for pair, count in np.ndenumerate(table) for _ in range(count)], dtype=float)


# Krippendorff's nominal data with missing ratings (12 subjects, 4 raters), one column a subject.
FOUR_RATERS = np.array(
    [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
).T
FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)


def test_kappa_of_two_psychiatrists() -> None:
    """Cohen 1960, table 2: p = (88 + 40 + 12) / 200 = 0.7, rows 120, 60, 20 and columns 100, 60, 40, so that
    e = (120 * 100 + 60 * 60 + 20 * 40) / 200^2 = 0.41 and kappa = 0.29 / 0.59 = 0.492."""
    ratings = ratings_of([[88, 14, 18], [10, 40, 10], [2, 6, 12]])
    assert percent_agreement(ratings, THREE) == pytest.approx(0.7)
    assert cohen_kappa(ratings, THREE) == pytest.approx(0.29 / 0.59)


def test_ac1_where_kappa_fails() -> None:
    """Gwet 2008: of 125 subjects both say yes for 118, one alone for 5 and 2, both no for none. p = 118 / 125 = 0.944.

    Kappa: e = (123 * 120 + 2 * 5) / 125^2 = 14770 / 15625 = 0.94528, (p - e) / (1 - e) = -0.0234.
    AC1: yes has the share s = (123 + 120) / 250 = 0.972, e = 2 * s * (1 - s) = 0.054432,
    (0.944 - 0.054432) / 0.945568 = 0.9408."""
    ratings = ratings_of([[118, 5], [2, 0]])
    assert cohen_kappa(ratings) == pytest.approx((0.944 - 0.94528) / (1 - 0.94528))
    assert gwet_ac1(ratings) == pytest.approx((0.944 - 0.054432) / 0.945568)
    assert round(float(gwet_ac1(ratings)), 4) == 0.9408


def test_three_categories_as_gwets_own_package_has_them() -> None:
    """irrCAC's `cont3x3abstractors`: kappa 0.7964094, AC1 0.8493305. Shares (13 + 13) / 200, (27 + 24) / 200 and
    (60 + 63) / 200 = 0.13, 0.255, 0.615; e = (0.1131 + 0.189975 + 0.236775) / 2 = 0.269925; p = 0.89."""
    ratings = ratings_of([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    assert cohen_kappa(ratings, THREE) == pytest.approx(0.7964094, abs=5e-8)
    assert gwet_ac1(ratings, THREE) == pytest.approx((0.89 - 0.269925) / (1 - 0.269925))
    assert gwet_ac1(ratings, THREE) == pytest.approx(0.8493305, abs=1e-7)


def test_four_raters_who_miss_cases() -> None:
    """p over the eleven subjects rated twice or more: eight wholly agree (1, 3, 4, 5, 7, 9, 10 and 11), in 2 and 8 half
    of the six pairs do, in 6 none: (8 + 2 * 0.5) / 11 = 9 / 11. Shares of the categories over all twelve:
    (1 + 0.25 + 0.75 + 1, 0.75 + 1 + 0.25 + 0.25 + 1, 0.25 + 1 + 1 + 0.25 + 1, 0.25 + 1, 1) / 12
    = (3, 3.25, 3.5, 1.25, 1) / 12, e = 0.190321 and AC1 = 0.77544, as in Gwet's irrCAC package (`cac.raw4raters`)."""
    shares = np.array([3, 3.25, 3.5, 1.25, 1]) / 12
    expected = float((shares * (1 - shares)).sum()) / 4
    assert percent_agreement(FOUR_RATERS, FIVE) == pytest.approx(9 / 11)
    assert gwet_ac1(FOUR_RATERS, FIVE) == pytest.approx((9 / 11 - expected) / (1 - expected))
    assert round(float(gwet_ac1(FOUR_RATERS, FIVE)), 5) == 0.77544


def test_fleiss_kappa_as_gwets_own_package_has_it() -> None:
    """irrCAC: Scott's pi of `cont3x3abstractors`, which Fleiss' kappa is for two raters, 0.7962397, and
    `fleiss.kappa.raw(cac.raw4raters)` 0.76117. By hand: s = 0.13, 0.255 and 0.615, e = 0.0169 + 0.065025 + 0.378225
    = 0.46015, (0.89 - 0.46015) / 0.53985; and e = (3^2 + 3.25^2 + 3.5^2 + 1.25^2 + 1) / 12^2 = 0.238715."""
    two = ratings_of([[13, 0, 0], [0, 20, 7], [0, 4, 56]])
    assert fleiss_kappa(two, THREE) == pytest.approx(0.7962397, abs=5e-8)
    assert fleiss_kappa(two, THREE) == pytest.approx((0.89 - 0.46015) / 0.53985)
    assert fleiss_kappa(FOUR_RATERS, FIVE) == pytest.approx((9 / 11 - 34.375 / 144) / (1 - 34.375 / 144))
    assert round(float(fleiss_kappa(FOUR_RATERS, FIVE)), 5) == 0.76117


pairs = st.lists(st.tuples(st.sampled_from(THREE), st.sampled_from(THREE)), min_size=1, max_size=40)


@given(pairs)
def test_kappa_is_scikit_learns(both: list[tuple[float, float]]) -> None:
    ratings = np.array(both)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns where kappa is undefined
        theirs = cohen_kappa_score(*ratings.T, labels=THREE)
    np.testing.assert_allclose(cohen_kappa(ratings, THREE), theirs, atol=1e-12)


@given(pairs, st.data())
def test_counts_are_the_same_as_repeated_cases(both: list[tuple[float, float]], data: st.DataObject) -> None:
    counts = data.draw(st.lists(st.integers(0, 4), min_size=len(both), max_size=len(both)))
    ratings = np.array(both)
    for measure in MEASURES:
        weighted = measure(ratings, THREE, np.array([counts, [1] * len(both)], dtype=float))
        np.testing.assert_allclose(weighted[0], measure(np.repeat(ratings, counts, axis=0), THREE), atol=1e-12)
        np.testing.assert_allclose(weighted[1], measure(ratings, THREE), atol=1e-12)


@given(pairs, st.permutations(THREE))
def test_neither_order_nor_names_of_the_categories_matter(both: list[tuple[float, float]], other: list[float]) -> None:
    ratings = np.array(both)
    renamed = np.array(other)[ratings.astype(int)]
    for measure in MEASURES:
        np.testing.assert_allclose(measure(ratings, THREE), measure(renamed, THREE), atol=1e-12)
        np.testing.assert_allclose(measure(ratings, THREE), measure(ratings[:, ::-1], other), atol=1e-12)


def test_missing_ratings_are_neither_agreement_nor_disagreement() -> None:
    ratings = ratings_of([[5, 1], [2, 4]])
    missing = np.vstack([ratings, [[1, NAN], [NAN, 0], [NAN, NAN]]])
    assert cohen_kappa(missing) == cohen_kappa(ratings)
    assert percent_agreement(missing) == percent_agreement(ratings) == pytest.approx(9 / 12)


def test_one_category_only_leaves_kappa_undefined_and_ac1_at_one() -> None:
    ratings = np.zeros((9, 2))
    assert np.isnan(cohen_kappa(ratings)) and np.isnan(fleiss_kappa(ratings))
    assert gwet_ac1(ratings) == percent_agreement(ratings) == 1
    assert all(np.isnan(measure(np.full((4, 2), NAN))) for measure in MEASURES)


def test_the_majority_is_of_the_others_and_a_tie_is_none() -> None:
    ratings = [[1, 1, 0, 1], [1, 0, 0, 1], [1, NAN, NAN, NAN], [0, 1, 1, NAN]]
    expected = [
        [1, 1, 1, 1],  # without the rater: 1 0 1, 1 0 1, 1 1 1, 1 1 0
        [0, 1, 1, 0],  # 0 0 1, 1 0 1, 1 0 1, 1 0 0
        [NAN, 1, 1, 1],  # nobody else, then the first alone
        [1, NAN, NAN, 1],  # 1 1, then 0 1 and 0 1 tie, then 0 1 1
    ]
    np.testing.assert_array_equal(majority_of_others(ratings), expected)


@pytest.mark.parametrize(
    ("ratings", "categories", "message"),
    [
        ([[1, 2]], (0.0, 1.0), "rating 2"),
        ([[1], [0]], (0.0, 1.0), "at least two"),
        ([1, 0], (0.0, 1.0), "at least two"),
        ([[1, 1]], (1.0,), "two or more different"),
        ([[1, 1]], (1.0, 1.0), "two or more different"),
    ],
)
def test_ratings_that_cannot_be_are_refused(
    ratings: list[list[float]], categories: tuple[float, ...], message: str, wording: Wording
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        gwet_ac1(ratings, categories)
    wording(caught.value)


def test_kappa_is_of_two_raters() -> None:
    with pytest.raises(ValueError, match="compares two raters, not 3"):
        cohen_kappa([[1, 1, 0]])
