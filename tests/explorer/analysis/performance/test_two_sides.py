"""Two sets of films: which differences are marked."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.analysis.performance.side_figures import side_figures
from explorer.analysis.performance.two_sides import (
    RESAMPLED_MEASURES,
    CenterGap,
    Difference,
    FindingSides,
    SliceMeasure,
    adjust_differences,
    largest_gap,
)
from explorer.metrics import metrics
from explorer.metrics.bootstrap import bootstrap
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


def difference(one: Column, other: Column, measure: SliceMeasure) -> Difference:
    found = side_figures(FindingSides.of(one, other, same_cohort=True), RESAMPLES, 0).difference(measure)
    return adjust_differences([found])[0]


def test_ap_rises_with_prevalence_while_auroc_falls_and_is_not_marked() -> None:
    rare, common = side(1, 1000, 0.02, 1.8), side(2, 1000, 0.22, 1.4, first=1000)
    precision, area = difference(common, rare, "average precision"), difference(common, rare, "AUROC")
    assert precision.value is not None and precision.value > 0.2 and excludes_0(precision)
    assert area.value is not None and area.value < 0
    assert precision.other_prevalence and not precision.marked
    assert not area.other_prevalence


def test_ap_of_films_of_like_prevalence_is_marked() -> None:
    found = difference(side(1, 1000, 0.2, 2.0), side(2, 1000, 0.2, 1.0, first=1000), "average precision")
    assert excludes_0(found) and not found.other_prevalence and found.marked


def test_two_models_on_the_same_films_have_the_same_prevalence() -> None:
    """Whatever the resample: the difference of the prevalences is 0 in each."""
    found = difference(side(1, 400, 0.1, 2.5), side(2, 400, 0.1, 0.2), "average precision")
    assert not found.other_prevalence and found.marked


@pytest.mark.parametrize(("prevalence", "other"), [(0.10, False), (0.12, False), (0.16, True), (0.30, True)])
def test_prevalences_differ_where_the_interval_of_their_difference_leaves_0_out(prevalence: float, other: bool) -> None:
    one, beside = side(1, 800, prevalence, 1.0), side(2, 800, 0.10, 1.0, first=800)
    sides = FindingSides.of(one, beside, same_cohort=True)
    assert side_figures(sides, RESAMPLES, 0).other_prevalence() == other
    loops = []
    for resample in range(RESAMPLES):
        drawn = np.random.default_rng([0, resample]).integers(0, 1600, 1600)
        shares = [np.nanmean(labels[drawn]) for labels in sides.labels]
        loops.append(shares[0] - shares[1])
    low, high = np.quantile(loops, (0.025, 0.975))
    assert (low > 0 or high < 0) == other


def excludes_0(found: Difference) -> bool:
    return found.interval is not None and not found.interval[0] <= 0 <= found.interval[1]


@pytest.mark.parametrize(("adjusted", "marked"), [(None, False), (0.0501, False), (0.05, True), (0.001, True)])
def test_a_difference_is_marked_by_its_adjusted_p(adjusted: float | None, marked: bool) -> None:
    """Whatever its interval, and whatever its p was before all that is shown was counted."""
    assert Difference(0.1, (0.004, 0.2), p=0.001, adjusted=adjusted).marked == marked


def test_p_is_adjusted_over_all_that_is_shown_but_what_is_not_compared() -> None:
    shown = [Difference(0.1, (0.01, 0.2), p=0.03), *(Difference(0.0, (-0.1, 0.1), p=0.9) for _ in range(9))]
    assert adjust_differences(shown[:1])[0].marked and not adjust_differences(shown)[0].marked
    others = [Difference(0.1, (0.01, 0.2), other_prevalence=True, p=0.03)] * 50 + [Difference(None), Difference(0.1)]
    found = adjust_differences([*shown[:1], *others])
    assert found[0].adjusted == pytest.approx(0.03) and found[0].marked
    assert found[1:] == others and not any(each.marked for each in found[1:])


def test_chance_alone_marks_nothing_in_most_tables() -> None:
    """Twenty findings of one model at two centers that do not differ: uncorrected one is marked in most tables."""
    marked, uncorrected = 0, 0
    for table in range(10):
        every = [
            difference(side(100 * table + k, 150, 0.3, 1), side(1000 + 100 * table + k, 150, 0.3, 1, 150), "AUROC")
            for k in range(20)
        ]
        uncorrected += any(map(excludes_0, every))
        marked += any(each.marked for each in adjust_differences(every))
    assert uncorrected >= 5 and marked <= 2


def test_all_measures_are_those_of_a_bootstrap_each() -> None:
    """One pass over the resamples has the digits that a pass for each measure and each side had."""
    one, other = side(1, 300, 0.2, 1.5), side(2, 260, 0.3, 1.0, first=200)
    one.threshold[:40] = np.nan
    sides = FindingSides.of(one, other, same_cohort=True)
    found = side_figures(sides, 50, 7)
    labels, calls = np.stack(sides.labels, axis=1), np.stack(sides.calls, axis=1)
    judged, scores = np.where(np.isnan(calls), np.nan, labels), np.stack(sides.scores, axis=1)
    of_calls = {"F1": metrics.f1}
    of_scores = {"average precision": metrics.average_precision, "AUROC": metrics.auroc, "ECE": metrics.ece}
    expected = {
        name: bootstrap(judged, np.nan_to_num(calls), each, 50, 7, sides.units) for name, each in of_calls.items()
    }
    expected |= {name: bootstrap(labels, scores, each, 50, 7, sides.units) for name, each in of_scores.items()}
    expected["prevalence"] = bootstrap(labels, np.ones_like(labels), metrics.precision, 50, 7, sides.units)
    assert found.measures.keys() == {*RESAMPLED_MEASURES, "prevalence"} == expected.keys()
    for name, alone in expected.items():
        for part in ("point", "low", "high", "samples"):
            assert getattr(found.measures[name], part) == pytest.approx(getattr(alone, part), nan_ok=True), name
        assert found.measures[name].units.tolist() == alone.units.tolist()


def test_each_two_centers_are_compared_as_two_slices_of_them() -> None:
    columns = [side(seed, 200, 0.25, apart, 200 * seed) for seed, apart in enumerate((1.0, 1.2, 2.5))]
    for name, each in zip("ABC", columns, strict=True):
        each.center[:] = name
    whole = Column(*(np.concatenate([getattr(each, part) for each in columns]) for part in Column.__slots__))
    found = side_figures(FindingSides.of_centers(whole, ["A", "B", "C"]), RESAMPLES, 0)
    pairs = {(one, other): found.difference("AUROC", other, one) for one, other in ((0, 1), (0, 2), (1, 2))}
    for (one, other), pair in pairs.items():
        alone = difference(columns[other], columns[one], "AUROC")
        assert pair.value == pytest.approx(alone.value)
        assert (pair.interval or ())[0] == pytest.approx((alone.interval or ())[0], abs=0.03)
    adjusted = adjust_differences(list(pairs.values()))
    gaps = [CenterGap("ABC"[a], "ABC"[b], each) for (a, b), each in zip(pairs, adjusted, strict=True)]
    assert (largest_gap(gaps).first, largest_gap(gaps).second) == ("A", "C") and largest_gap(gaps).difference.marked


def test_a_marked_gap_is_shown_before_a_larger_one_that_chance_may_have_made() -> None:
    gaps = [
        CenterGap("A", "B", Difference(0.9, p=0.4, adjusted=0.4)),
        CenterGap("A", "C", Difference(-0.2, adjusted=0.01)),
    ]
    assert largest_gap(gaps).second == "C"
    assert largest_gap([CenterGap("A", "B", Difference(None)), gaps[0]]).second == "B"
