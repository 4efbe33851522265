"""Rates in closed form: what clustering by patient does to them, and that they agree with the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import t

from explorer.core.rates import Rate, pooled_rate
from explorer.metrics.clustered_rates import RateSums, clustered_rate, wilson_bounds
from models.statistics import wilson
from tests.benchmarks.rate_intervals import coverage, difference_coverage, widths

FILMS = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=1, max_size=40)


def arrays(films: list[tuple[bool, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([hit for hit, _ in films]), np.array([patient for _, patient in films])


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_one_film_per_patient_is_wilsons_interval(hits: list[bool]) -> None:
    assert clustered_rate(np.array(hits), np.arange(len(hits))) == Rate(sum(hits), len(hits))


@given(FILMS)
def test_the_order_of_films_and_the_names_of_patients_do_not_matter(films: list[tuple[bool, int]]) -> None:
    hits, patients = arrays(films)
    order = np.random.default_rng(len(films)).permutation(len(films))
    assert clustered_rate(hits[order], 100 - patients[order]) == clustered_rate(hits, patients)


@given(FILMS)
def test_a_rate_and_its_rest_have_mirrored_intervals(films: list[tuple[bool, int]]) -> None:
    hits, patients = arrays(films)
    rate, rest = clustered_rate(hits, patients), clustered_rate(~hits, patients)
    assert rate.interval is not None and rest.interval is not None and rate.rest.interval is not None
    assert rate.rest.interval == pytest.approx(rest.interval)
    assert rest.interval == pytest.approx([1 - end for end in reversed(rate.interval)])


@given(FILMS, st.integers(2, 5))
def test_more_films_of_the_same_patients_that_say_the_same_narrow_nothing(
    films: list[tuple[bool, int]], times: int
) -> None:
    """Copies of every film do not add information, where films of one patient are not more unlike than others."""
    hits, patients = arrays(films)
    once, more = clustered_rate(hits, patients), clustered_rate(np.tile(hits, times), np.tile(patients, times))
    sums, n = RateSums.of(hits[:, None], np.ones((len(hits), 1), dtype=bool), patients), once.n
    clusters, wrong = sums.patients[0], n - once.hits
    assume(clusters == 1 or clusters / (clusters - 1) * sums.residuals[0, 0] * (n - 1) >= once.hits * wrong)
    assert more.independent <= once.independent + 1e-9


@given(st.lists(st.booleans(), min_size=2, max_size=20), st.integers(2, 30))
def test_copies_of_one_film_count_as_one_at_most(hits: list[bool], times: int) -> None:
    """One film per patient, and the first one many times: never more independent films than patients."""
    patients = np.concatenate([np.arange(len(hits)), np.zeros(times, dtype=np.int64)])
    assert clustered_rate(np.array(hits + [hits[0]] * times), patients).independent <= len(hits) + 1e-9


def test_where_all_films_agree_each_patient_counts_once() -> None:
    rate = clustered_rate(np.ones(12, dtype=bool), np.repeat([0, 1, 2], [10, 1, 1]))
    assert rate == Rate(12, 12, 3.0) and rate.interval == pytest.approx(wilson(3, 3))
    assert clustered_rate(np.array([True, False]), np.zeros(2, dtype=np.int64)).effective == 1


def test_the_variance_is_that_of_the_ratio_of_sums_over_patients() -> None:
    """Worked by hand: patients of 3, 2 and 1 films with 3, 1 and 0 hits."""
    sums = RateSums.of(
        np.array([1, 1, 1, 1, 0, 0], dtype=bool)[:, None], np.ones((6, 1), dtype=bool), np.array([0, 0, 0, 1, 1, 2])
    )
    assert sums.films.tolist() == [[4, 2]] and sums.patients.tolist() == [3]
    assert sums.residuals[0, 0] == pytest.approx((3 - 2) ** 2 + (1 - 4 / 3) ** 2 + (0 - 2 / 3) ** 2)
    assert sums.effective[0] == pytest.approx(36 / 14)  # no less than Kish's number of patients
    hits = np.repeat([True, True, False, False, True, False], 4)
    hits[::8] = False
    found = RateSums.of(hits[:, None], np.ones((24, 1), dtype=bool), np.arange(24) // 2)
    p = hits.mean()
    squares = sum((hits[2 * each : 2 * each + 2].sum() - 2 * p) ** 2 for each in range(12))
    clustered, independent = 12 / 11 * squares / 24**2, p * (1 - p) / 23
    assert clustered > independent
    assert found.effective[0] == pytest.approx(
        24 * independent / clustered * (t.ppf(0.975, 23) / t.ppf(0.975, 11)) ** 2
    )


def test_bounds_are_wilsons() -> None:
    for hits, n in ((0, 5), (3, 7), (9, 9)):
        low, high = wilson_bounds(np.array([hits / n]), np.array([float(n)]))
        assert (low[0], high[0]) == pytest.approx(wilson(hits, n))


def test_a_difference_of_disjoint_films_is_newcombes() -> None:
    """Newcombe, Statistics in Medicine 1998; 17: 873-890, table II: 56/70 - 48/80 is 0.2 [0.0524, 0.3339]."""
    hits = np.concatenate([np.arange(70) < 56, np.arange(80) < 48])
    there = np.repeat([[True, False], [False, True]], [70, 80], axis=0)
    found = RateSums.of(hits[:, None] & there, there, np.arange(150)).differences(np.array([0]), np.array([1]))
    assert (found.value[0], found.low[0], found.high[0]) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)


@given(FILMS, FILMS)
def test_p_is_below_5_percent_where_the_interval_excludes_0(
    films: list[tuple[bool, int]], others: list[tuple[bool, int]]
) -> None:
    hits, patients = (np.concatenate(each) for each in zip(arrays(films), arrays(others), strict=True))
    there = np.repeat([[True, False], [False, True]], [len(films), len(others)], axis=0)
    sums = RateSums.of(hits[:, None] & there, there, patients)
    one, other = (sums.differences(np.array([side]), np.array([1 - side])) for side in (0, 1))
    assert one.low[0] <= one.value[0] <= one.high[0] and 0 <= one.p[0] <= 1
    assert (one.value[0], one.low[0], one.high[0], one.p[0]) == pytest.approx(
        (-other.value[0], -other.high[0], -other.low[0], other.p[0])
    )
    if abs(one.p[0] - 0.05) > 1e-6:
        assert (one.p[0] < 0.05) == (one.low[0] > 0 or one.high[0] < 0)


def test_two_models_on_the_same_films_differ_less_uncertainly() -> None:
    dice = np.random.default_rng(1)
    first = dice.random(200) < 0.7
    calls = np.stack([first, first ^ (dice.random(200) < 0.1)], axis=1)
    every, patients = np.ones((200, 2), dtype=bool), np.arange(200) // 2
    together = RateSums.of(calls, every, patients).differences(np.array([0]), np.array([1]))
    apart = RateSums.of(
        np.concatenate([calls[:, :1] & [True, False], calls[:, 1:] & [False, True]]),
        np.repeat([[True, False], [False, True]], 200, axis=0),
        np.concatenate([patients, patients + 1000]),
    ).differences(np.array([0]), np.array([1]))
    assert together.value[0] == pytest.approx(apart.value[0])
    assert together.high[0] - together.low[0] < 0.7 * (apart.high[0] - apart.low[0])
    same = RateSums.of(calls[:, [0, 0]], every, patients).differences(np.array([0]), np.array([1]))
    assert (same.value[0], same.low[0], same.high[0], same.p[0]) == (0, 0, 0, 1)


def test_a_rate_without_films_has_no_difference() -> None:
    there = np.array([[True, False]])
    found = RateSums.of(there, there, np.array([0])).differences(np.array([0]), np.array([1]))
    assert np.isnan([found.value[0], found.low[0], found.p[0]]).all()


def test_the_mean_of_independent_rates_adds_their_reaches_squared() -> None:
    """Worked by hand: 56 of 70 and 48 of 80 films of different patients, each weighted by a half."""
    hits = np.concatenate([np.arange(70) < 56, np.arange(80) < 48])
    there = np.repeat([[True, False], [False, True]], [70, 80], axis=0)
    found = RateSums.of(hits[:, None] & there, there, np.arange(150)).combined(np.array([[0.5, 0.5]]))
    (one, one_high), (other, other_high) = wilson(56, 70), wilson(48, 80)
    assert found.value[0] == pytest.approx(0.7)
    assert found.low[0] == pytest.approx(0.7 - np.hypot(0.8 - one, 0.6 - other) / 2, abs=1e-3)
    assert found.high[0] == pytest.approx(0.7 + np.hypot(one_high - 0.8, other_high - 0.6) / 2, abs=1e-3)


@given(FILMS, st.floats(0.1, 10))
def test_equal_weights_of_films_change_nothing(films: list[tuple[bool, int]], weight: float) -> None:
    hits, patients = arrays(films)
    calls, every = np.stack([hits, ~hits], axis=1), np.ones((len(hits), 2), dtype=bool)
    plain, weighted = (RateSums.of(calls, every, patients, weights) for weights in (None, np.full(len(hits), weight)))
    assert weighted.effective == pytest.approx(plain.effective)
    one, other = (each.combined(np.array([[1.0, -1], [1, 0]])) for each in (plain, weighted))
    assert (other.low, other.high) == (pytest.approx(one.low), pytest.approx(one.high))


def test_the_same_rate_on_both_sides_of_a_sum_leaves_nothing() -> None:
    dice = np.random.default_rng(0)
    hits = dice.random((50, 3)) < 0.6
    sums = RateSums.of(np.concatenate([hits, hits], axis=1), np.ones((50, 6), dtype=bool), np.arange(50) // 2)
    found = sums.combined(np.array([[1, 1, 1, -1, -1, -1], [1, 0, 0, -1, 0, 0]]) / 3)
    assert (found.low.tolist(), found.high.tolist()) == ([0, 0], [0, 0])


def test_pooled_rates_add_their_independent_films() -> None:
    assert pooled_rate([Rate(3, 10, 6.0), Rate(1, 5)]) == Rate(4, 15, 11.0)
    assert pooled_rate([Rate(3, 10), Rate(1, 5)]) == Rate(4, 15) and pooled_rate([]) == Rate(0, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("films", "rate"), [(10, 0.05), (30, 0.5), (100, 0.2), (300, 0.005)])
def test_it_covers_where_independent_films_would_not_and_is_narrower_than_others(films: int, rate: float) -> None:
    found = coverage(films, rate, 600)
    assert 0.92 < found["Wilson"][0] < 0.995
    assert found["Wilson"][0] > found["Wilson, films independent"][0]
    assert found["Wilson"][1] < found["Clopper-Pearson"][1]


@pytest.mark.slow
def test_differences_of_centers_that_share_patients_cover() -> None:
    held, called = difference_coverage(60, 0.8, 0.8, 300)
    assert held > 0.92 and called < 0.08


@pytest.mark.slow
def test_widths_are_those_of_the_bootstrap() -> None:
    found = widths(40, 1000)
    clear = found[(found[:, 0] > 0.1) & (found[:, 0] < 0.9) & (found[:, 1] >= 60), 2]
    assert len(clear) > 10 and 0.97 < np.median(clear) < 1.05
