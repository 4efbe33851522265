"""Two sets of films: which differences are marked."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analysis.two_sides import Difference, Measured, Sides
from explorer.store.results import Column

RESAMPLES = 200


def side(seed: int, films: int, prevalence: float, apart: float, first: int = 0) -> Column:
    """Films of one center: scores of positives lie `apart` standard deviations above the others."""
    dice = np.random.default_rng(seed)
    label = np.zeros(films)
    label[: round(films * prevalence)] = 1
    score = 1 / (1 + np.exp(-(dice.standard_normal(films) + apart * label)))
    return Column(
        case=np.arange(first, first + films, dtype=np.int32),
        label=label,
        score=score.astype(np.float32),
        threshold=np.full(films, 0.5),
        center=np.full(films, "A", dtype=object),
        patient=np.array([None] * films, dtype=object),
        weight=np.ones(films),
    )


def difference(one: Column, other: Column, measure: Measured) -> Difference:
    sides = Sides.of(one, other, same_cohort=True)
    return sides.difference(measure, sides.bootstrap(measure, RESAMPLES, 0), RESAMPLES, 0)


def test_ap_rises_with_prevalence_while_auroc_falls_and_is_not_marked() -> None:
    rare, common = side(1, 1000, 0.02, 1.8), side(2, 1000, 0.22, 1.4, first=1000)
    precision, area = difference(common, rare, "average precision"), difference(common, rare, "AUROC")
    assert precision.value is not None and precision.value > 0.2 and precision.excludes_zero
    assert area.value is not None and area.value < 0
    assert precision.other_prevalence and not precision.marked
    assert not area.other_prevalence


def test_ap_of_films_of_like_prevalence_is_marked() -> None:
    found = difference(side(1, 1000, 0.2, 2.0), side(2, 1000, 0.2, 1.0, first=1000), "average precision")
    assert found.excludes_zero and not found.other_prevalence and found.marked


def test_two_models_on_the_same_films_have_the_same_prevalence() -> None:
    """Whatever the resample: the difference of the prevalences is 0 in each."""
    found = difference(side(1, 400, 0.1, 2.5), side(2, 400, 0.1, 0.2), "average precision")
    assert not found.other_prevalence and found.marked


@pytest.mark.parametrize(("prevalence", "other"), [(0.10, False), (0.12, False), (0.16, True), (0.30, True)])
def test_prevalences_differ_where_the_interval_of_their_difference_leaves_0_out(prevalence: float, other: bool) -> None:
    one, beside = side(1, 800, prevalence, 1.0), side(2, 800, 0.10, 1.0, first=800)
    sides = Sides.of(one, beside, same_cohort=True)
    assert sides.other_prevalence(RESAMPLES, 0) == other
    loops = []
    for resample in range(RESAMPLES):
        drawn = np.random.default_rng([0, resample]).integers(0, 1600, 1600)
        shares = [np.nanmean(labels[drawn]) for labels in sides.labels]
        loops.append(shares[0] - shares[1])
    low, high = np.quantile(loops, (0.025, 0.975))
    assert (low > 0 or high < 0) == other


@pytest.mark.parametrize(
    ("interval", "marked"),
    [
        ((0.0, 0.2), False),
        ((-0.2, 0.0), False),
        ((1e-15, 0.2), False),  # rounding
        ((-0.1, 0.2), False),
        ((0.004, 0.2), True),
        ((-0.2, -0.004), True),
        (None, False),
    ],
)
def test_an_end_that_is_0_has_no_mark(interval: tuple[float, float] | None, marked: bool) -> None:
    assert Difference(0.1, interval).marked == marked
    assert not Difference(0.1, interval, other_prevalence=True).marked
