"""Paired differences, their p and its adjustment, against plain loops and SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import false_discovery_control, genpareto, norm

from explorer.metrics.bootstrap import percentile_interval
from explorer.metrics.paired_rows import (
    MIN_POSITIVES_FOR_TAIL,
    benjamini_hochberg,
    paired_rows,
    smallest_counted_p,
    two_sided_p,
)
from explorer.metrics.tail_p import share_below_0


@given(st.integers(0, 2**32 - 1), st.integers(1, 5))
def test_differences_are_those_of_a_plain_loop(seed: int, models: int) -> None:
    dice = np.random.default_rng(seed)
    point, samples = dice.random(models), dice.integers(0, 5, (30, models)) / 5
    samples[dice.random(samples.shape) < 0.1] = np.nan
    reference = int(dice.integers(models))
    found = paired_rows(point, samples, reference, 9)
    for model in range(models):
        if model == reference:
            assert np.isnan([found.value[model], found.low[model], found.p[model], found.adjusted[model]]).all()
            continue
        less = [one - other for one, other in zip(samples[:, model], samples[:, reference], strict=True)]
        less = [each for each in less if not math.isnan(each)]
        assert found.value[model] == pytest.approx(point[model] - point[reference])
        assert (found.low[model], found.high[model]) == pytest.approx(percentile_interval(np.array(less), 9))
        fewer = min(sum(each <= 1e-12 for each in less), sum(each >= -1e-12 for each in less))
        assert found.p[model] == pytest.approx(min(1, 2 * (fewer + 1) / (len(less) + 1)))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_adjusted_p_is_scipys(p: list[float]) -> None:
    assert benjamini_hochberg(np.array(p)) == pytest.approx(false_discovery_control(p))


def test_what_is_undefined_is_no_row() -> None:
    assert benjamini_hochberg(np.array([np.nan, 0.01, 0.04]))[1:] == pytest.approx([0.02, 0.04])
    assert np.isnan(benjamini_hochberg(np.array([np.nan, 0.01])))[0]
    assert math.isnan(two_sided_p(np.array([np.nan])))


def test_equal_models_do_not_differ_and_one_patient_tells_nothing() -> None:
    samples = np.tile(np.random.default_rng(0).random((20, 1)), 2)
    assert paired_rows(samples[0], samples, 0, 5).p[1] == 1
    assert np.isnan(paired_rows(samples[0], samples, 0, 1).p[1])


def test_the_counted_least_is_that_of_resamples_that_all_agree() -> None:
    assert two_sided_p(np.ones(1000)) == smallest_counted_p(1000) == 2 / 1001
    assert smallest_counted_p(1) == 1


def test_a_difference_far_from_0_passes_alone_among_a_hundred_cells() -> None:
    """Counted alone, p of 1,000 resamples is never below 0.002, which is 0.2 adjusted for 102 cells."""
    far = np.random.default_rng(0).standard_normal(1000) + 6
    assert two_sided_p(far) == smallest_counted_p(1000)
    assert two_sided_p(far, MIN_POSITIVES_FOR_TAIL) == two_sided_p(-far, MIN_POSITIVES_FOR_TAIL) < 0.05 / 102
    cells = np.append(np.full(101, 0.6), two_sided_p(far, MIN_POSITIVES_FOR_TAIL))
    assert benjamini_hochberg(cells)[-1] < 0.05


def test_a_tail_is_fitted_only_where_no_resample_contradicts_and_enough_is_known() -> None:
    near = np.random.default_rng(0).standard_normal(1000) + 2
    assert two_sided_p(near, 100) == two_sided_p(near) > smallest_counted_p(1000)
    far = near + 4
    assert two_sided_p(far, MIN_POSITIVES_FOR_TAIL - 1) == smallest_counted_p(1000)
    assert two_sided_p(far[:400], 100) == smallest_counted_p(400)
    assert two_sided_p(np.ones(1000), 100) == smallest_counted_p(1000)


@pytest.mark.parametrize("apart", [3.2, 3.5, 4.0])
def test_the_fitted_p_of_normal_differences_is_never_much_too_small(apart: float) -> None:
    drawn = (np.random.default_rng(seed).standard_normal(1000) + apart for seed in range(200))
    found = [p for p in (share_below_0(each) for each in drawn if each.min() > 0) if p is not None]
    assert np.mean(np.array(found) < norm.sf(apart) / 2) < 0.02


def test_the_tail_of_a_pareto_distribution_is_found() -> None:
    drawn = 20 - genpareto.rvs(0.2, size=200_000, random_state=1)
    assert share_below_0(drawn[drawn > 0]) == pytest.approx(genpareto.sf(20, 0.2), rel=0.6)
