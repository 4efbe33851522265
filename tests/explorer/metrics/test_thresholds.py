"""Thresholds: what scikit-learn's curves say, none where there is none, never reported where they were fitted."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.metrics import precision_recall_curve, roc_curve

from explorer.metrics.leakage import SameCases
from explorer.metrics.metrics import f1, sensitivity, specificity
from explorer.metrics.thresholds import FittedThreshold, ThresholdRule, Thresholds, fit_thresholds, fixed_thresholds
from tests.support.wording import Wording

Floats = NDArray[np.float64]
NAN = np.nan
RULES = [
    ThresholdRule("youden"),
    ThresholdRule("f1"),
    ThresholdRule("sensitivity", 0.8),
    ThresholdRule("specificity", 0.8),
]


def fit_one(labels: list[float], scores: list[float], rule: ThresholdRule) -> FittedThreshold:
    ids = [f"film {i}" for i in range(len(labels))]
    columns = np.array(labels)[:, None], np.array(scores)[:, None]
    return fit_thresholds(*columns, ["Mass"], rule, cohort="fit", case_ids=ids).cuts[0]


# Eight films by rising score: absent, absent, present, absent, present, absent, present, present.
LABELS = [0.0, 0, 1, 0, 1, 0, 1, 1]
SCORES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        # Sensitivity + specificity - 1 is 4/4 + 2/4 - 1 at 0.25, 3/4 + 3/4 - 1 at 0.45, 2/4 + 4/4 - 1 at 0.65: of
        # these equals the lowest.
        (ThresholdRule("youden"), 0.25),
        (ThresholdRule("f1"), 0.25),  # 2 * 4 / (2 * 4 + 2 + 0) = 0.8; 0.45 has 2 * 3 / (6 + 1 + 1) = 0.75
        (ThresholdRule("sensitivity", 0.75), 0.45),
        (ThresholdRule("sensitivity", 0.76), 0.25),
        (ThresholdRule("specificity", 0.75), 0.45),
        (ThresholdRule("specificity", 1.0), 0.65),
    ],
    ids=str,
)
def test_an_example_worked_by_hand(rule: ThresholdRule, value: float) -> None:
    cut = fit_one(LABELS, SCORES, rule)
    assert cut.value == pytest.approx(value)
    assert (cut.reason, cut.positives, cut.negatives) == (None, 4, 4)


@st.composite
def one_finding(draw: st.DrawFn) -> tuple[Floats, Floats]:
    """Labels with unknowns, and scores of a few values so that many tie."""
    n = draw(st.integers(2, 40))
    labels = draw(st.lists(st.sampled_from([0.0, 1.0, 0.0, 1.0, NAN]), min_size=n, max_size=n))
    scores = draw(st.lists(st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.9, 1.0]), min_size=n, max_size=n))
    return np.array(labels), np.array(scores)


def known(labels: Floats, scores: Floats) -> tuple[Floats, Floats] | None:
    chosen = ~np.isnan(labels)
    return (labels[chosen], scores[chosen]) if len(set(labels[chosen])) == 2 else None


@given(one_finding())
def test_youden_and_targets_are_those_of_the_roc_curve(finding: tuple[Floats, Floats]) -> None:
    if (pair := known(*finding)) is None:
        return
    alarms, found, _ = roc_curve(*pair, drop_intermediate=False)
    column = pair[0][:, None], pair[1][:, None]
    cut = fit_one(*map(list, finding), RULES[0])
    best = float((found - alarms).max())
    assert (cut.value is None) == (best < 1e-12)
    if cut.value is not None:
        reached = sensitivity(*column, threshold=cut.value) + specificity(*column, threshold=cut.value) - 1
        assert reached[0] == pytest.approx(best, abs=1e-12)
    inside = (alarms < 1) | (found < 1), (alarms > 0) | (found > 0)  # neither everything nor nothing is called
    usable = inside[0] & inside[1]
    cut = fit_one(*map(list, finding), RULES[2])
    enough = usable & (found >= 0.8)
    assert (cut.value is None) == (not enough.any())
    if cut.value is not None:
        assert sensitivity(*column, threshold=cut.value)[0] >= 0.8
        assert 1 - specificity(*column, threshold=cut.value)[0] == pytest.approx(alarms[enough].min())
    cut = fit_one(*map(list, finding), RULES[3])
    enough = usable & (1 - alarms >= 0.8 - 1e-12)
    assert (cut.value is None) == (not enough.any())
    if cut.value is not None:
        assert specificity(*column, threshold=cut.value)[0] >= 0.8
        assert sensitivity(*column, threshold=cut.value)[0] == pytest.approx(found[enough].max())


@given(one_finding())
def test_best_f1_is_that_of_the_precision_recall_curve(finding: tuple[Floats, Floats]) -> None:
    if (pair := known(*finding)) is None:
        return
    precision, recall, _ = precision_recall_curve(*pair)
    each = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    share = pair[0].mean()
    cut = fit_one(*map(list, finding), ThresholdRule("f1"))
    if cut.value is None:
        assert each.max() == pytest.approx(2 * share / (1 + share))  # what calling every case positive has
    else:
        reached = f1(pair[0][:, None], pair[1][:, None], threshold=cut.value)[0]
        assert reached == pytest.approx(each.max())


@given(one_finding(), st.sampled_from(RULES))
def test_a_threshold_is_never_made_up(finding: tuple[Floats, Floats], rule: ThresholdRule) -> None:
    labels, scores = finding
    cut = fit_one(list(labels), list(scores), rule)
    assert (cut.value is None) == (cut.reason is not None)
    assert (cut.positives, cut.negatives) == ((labels == 1).sum(), (labels == 0).sum())
    if cut.value is not None:
        called = scores[~np.isnan(labels)] >= cut.value
        assert called.any() and not called.all()


@pytest.mark.parametrize(
    ("labels", "scores", "rule", "reason"),
    [
        ([0, 0], [0.1, 0.2], ThresholdRule("youden"), "no positives"),
        ([1, 1, NAN], [0.1, 0.2, 0.3], ThresholdRule("f1"), "no negatives"),
        ([NAN, NAN], [0.1, 0.2], ThresholdRule("youden"), "no known labels"),
        ([1, 0], [0.5, 0.5], ThresholdRule("youden"), "all scores are the same"),
        ([1, 0], [0.2, 0.8], ThresholdRule("youden"), "no threshold does better than chance"),
        ([1, 0], [0.2, 0.8], ThresholdRule("f1"), "calling every case positive has the best F1"),
        (
            [1, 0],
            [0.2, 0.8],
            ThresholdRule("sensitivity", 0.9),
            "sensitivity 0.9 is reached only by calling every case positive",
        ),
        (
            [1, 0],
            [0.2, 0.8],
            ThresholdRule("specificity", 0.9),
            "specificity 0.9 is reached only by calling no case positive",
        ),
    ],
)
def test_no_threshold_has_a_reason(labels: list[float], scores: list[float], rule: ThresholdRule, reason: str) -> None:
    cut = fit_one(labels, scores, rule)
    assert (cut.value, cut.reason) == (None, reason)


def test_neighboring_floats_are_still_told_apart() -> None:
    low = 0.3
    high = float(np.nextafter(low, 1))
    cut = fit_one([0, 1], [low, high], ThresholdRule("youden"))
    assert cut.value is not None
    assert low < cut.value <= high


def test_reporting_on_cases_of_the_fit_is_refused_and_fixed_thresholds_go_anywhere(wording: Wording) -> None:
    labels, scores = np.array([LABELS, LABELS]).T, np.array([SCORES, [0.5] * 8]).T
    ids = [f"film {i}" for i in range(8)]
    fitted = fit_thresholds(labels, scores, ["Mass", "Hernia"], ThresholdRule("youden"), cohort="fit", case_ids=ids)
    assert fitted.fitted_on is not None
    with pytest.raises(SameCases) as caught:
        fitted.fitted_on.refuse(f"The threshold ({fitted.rule})", ["another", "film 3"])
    wording(caught.value, "8 cases", "1")
    fitted.fitted_on.refuse(f"The threshold ({fitted.rule})", ["another"])
    values = np.array([np.nan if cut.value is None else cut.value for cut in fitted.cuts])
    assert values[0] == pytest.approx(0.25)
    assert np.isnan(values[1])
    # A finding without a threshold has no sensitivity either, rather than 0.
    assert np.isnan(sensitivity(labels, scores, threshold=values)).tolist() == [False, True]
    fixed = fixed_thresholds(["Mass", "Hernia"])
    assert fixed.fitted_on is None and [cut.value for cut in fixed.cuts] == [0.5, 0.5]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_thresholds_are_kept_as_json(rule: ThresholdRule) -> None:
    labels, scores = np.array([LABELS, [0.0] * 8]).T, np.array([SCORES, SCORES]).T
    ids = [f"film {i}" for i in range(8)]
    fitted = fit_thresholds(labels, scores, ["Mass", "Hernia"], rule, cohort="fit", case_ids=ids)
    for thresholds in (fitted, fixed_thresholds(["Mass"], 0.3)):
        assert Thresholds.from_dict(json.loads(json.dumps(thresholds.to_dict()))) == thresholds


@pytest.mark.parametrize(
    ("kind", "target"),
    [("youden", 0.5), ("sensitivity", None), ("specificity", 1.2), ("sensitivity", 0), ("fixed", NAN)],
)
def test_a_rule_that_cannot_be_is_refused(kind: str, target: float | None) -> None:
    with pytest.raises(ValueError, match="target"):
        ThresholdRule(kind, target)


def test_scores_and_labels_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="finite score"):
        fit_one([1, 0], [NAN, 0.1], ThresholdRule("youden"))
    with pytest.raises(ValueError, match="label"):
        fit_one([1, -1], [0.2, 0.1], ThresholdRule("youden"))
    with pytest.raises(ValueError, match="not fitted"):
        fit_one([1, 0], [0.2, 0.1], ThresholdRule("fixed", 0.5))
