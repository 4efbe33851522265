"""Intervals of agreement: equal to the plain loop, with n and with what was left out."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from explorer.metrics.agreement import (
    AgreementMeasure,
    cohen_kappa,
    gwet_ac1,
    majority_of_all,
    majority_of_others,
    percent_agreement,
)
from explorer.metrics.agreement_interval import Agreement, against_majority, agreement, pairwise
from tests.support.wording import Wording

NAN = np.nan


def votes(seed: int, n: int, raters: int) -> NDArray[np.float64]:
    """Raters who see the same truth through noise and miss a tenth of the cases."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n, 1)) < 0.3
    ratings = np.where(rng.random((n, raters)) < 0.15, ~truth, truth).astype(float)
    ratings[rng.random((n, raters)) < 0.1] = NAN
    return ratings


@pytest.mark.parametrize(("measure", "raters"), [(percent_agreement, 3), (cohen_kappa, 2), (gwet_ac1, 3)])
def test_the_interval_is_that_of_the_plain_loop(measure: AgreementMeasure, raters: int) -> None:
    ratings = votes(0, 60, raters)
    draws = [np.random.default_rng([7, r]).integers(0, 60, 60) for r in range(50)]
    plain = [float(measure(ratings[rows])) for rows in draws]
    found = agreement(measure, ratings, resamples=50, seed=7)
    assert found.interval == pytest.approx(tuple(np.quantile(plain, [0.025, 0.975])), abs=1e-12)
    assert found.value == pytest.approx(float(measure(ratings)))
    assert found.n + found.left_out == 60
    assert found.n == (np.sum(~np.isnan(ratings), axis=1) >= 2).sum()


def test_whole_units_are_drawn(wording: Wording) -> None:
    ratings = np.tile(votes(1, 30, 2), (2, 1))
    patients = np.tile([f"patient {i:02}" for i in range(30)], 2)
    once = agreement(cohen_kappa, ratings[:30], resamples=100)
    assert agreement(cohen_kappa, ratings, resamples=100, unit=patients).interval == pytest.approx(once.interval)
    narrower = agreement(cohen_kappa, ratings, resamples=100).interval
    assert narrower is not None and once.interval is not None
    assert narrower[1] - narrower[0] < once.interval[1] - once.interval[0]
    with pytest.raises(ValueError) as caught:
        agreement(cohen_kappa, ratings, unit=["a", "b", "c"])
    wording(caught.value, "60 cases")


def test_resamples_without_a_value_are_counted() -> None:
    found = agreement(cohen_kappa, [[1, 1]] + [[0, 0]] * 9, resamples=400)
    # A resample without the one positive, of chance (9 / 10) ** 10 = 0.35, has no kappa.
    assert found.value == 1
    assert 0.28 < found.undefined / 400 < 0.42
    assert agreement(cohen_kappa, [[0, 0]] * 9, resamples=20) == Agreement(None, None, 9, 0, 20)
    with pytest.raises(ValueError, match="needs cases"):
        agreement(gwet_ac1, np.zeros((0, 2)))


def test_one_unit_has_no_interval() -> None:
    rated = [[1, 1], [0, 0], [NAN, 1]]
    assert agreement(percent_agreement, [[1, 0]], resamples=20).interval is None
    assert agreement(percent_agreement, rated, resamples=20, unit=["p", "p", "q"]).interval is None
    assert agreement(percent_agreement, rated, resamples=20).interval == (1, 1)


def test_a_single_column_is_refused_in_words(wording: Wording) -> None:
    with pytest.raises(ValueError) as caught:
        pairwise([1, 0])
    wording(caught.value, "(2,)", "row per case")


def test_a_majority_that_counts_the_rater_s_own_vote_agrees_more() -> None:
    ratings = votes(4, 200, 3)
    others = against_majority(ratings, measure=percent_agreement, resamples=5)
    everyone = against_majority(ratings, majority="all", measure=percent_agreement, resamples=5)
    assert all(all_.value > other.value for all_, other in zip(everyone, others, strict=True))
    by_hand = [[0, 0, 0], [1, 1, 1], [NAN, NAN, NAN], [1, 1, 1]]
    found = majority_of_all([[0, 0, 1], [1, NAN, NAN], [0, 1, NAN], [1, 1, 0]])
    np.testing.assert_array_equal(found, by_hand)


def test_ties_are_counted_among_the_left_out() -> None:
    ratings = [[0, 1], [1, 1], [0, 0]]
    assert [each.left_out for each in against_majority(ratings, majority="all", resamples=5)] == [1, 1]


def test_every_pair_by_its_columns() -> None:
    ratings = votes(2, 40, 3)
    found = pairwise(ratings, resamples=20, seed=3)
    assert list(found) == [(0, 1), (0, 2), (1, 2)]
    assert found[0, 2] == agreement(cohen_kappa, ratings[:, [0, 2]], resamples=20, seed=3)


def test_each_rater_against_the_majority_of_the_others() -> None:
    # The third rater always says the contrary of the first two, who agree: nothing but ties for these.
    first = np.array([0, 0, 1, 1, 1, 0.0])
    ratings = np.stack([first, first, 1 - first], axis=1)
    found = against_majority(ratings, resamples=20)
    assert [(each.value, each.n, each.left_out) for each in found] == [(None, 0, 6), (None, 0, 6), (-1.0, 6, 0)]
    ratings = votes(3, 50, 4)
    majority = majority_of_others(ratings)
    by_hand = agreement(gwet_ac1, np.stack([ratings[:, 1], majority[:, 1]], axis=1), resamples=20)
    assert against_majority(ratings, measure=gwet_ac1, resamples=20)[1] == by_hand


@pytest.mark.slow
def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    table = np.array([0.55, 0.1, 0.05, 0.3])  # kappa of this table: (0.85 - 0.53) / 0.47
    held = 0
    for _ in range(200):
        cells = rng.choice(4, 100, p=table)
        found = agreement(cohen_kappa, np.stack([cells // 2, cells % 2], axis=1), resamples=200).interval
        assert found is not None
        held += found[0] <= (0.85 - 0.53) / 0.47 <= found[1]
    assert 0.9 <= held / 200 <= 0.985
