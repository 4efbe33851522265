"""Calibration on other patients' films and the spread of scores, against scikit-learn, loops and numpy."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss

from explorer.analysis.one_finding.calibration import (
    CALIBRATION_FOLDS,
    ScoreCalibration,
    cross_fitted_scores,
    patient_folds,
    score_calibration,
)
from explorer.analysis.one_finding.score_spread import MAX_SHOWN_CENTERS, score_spreads
from explorer.analysis.one_finding.scores import FindingScores
from explorer.metrics.bootstrap import LEVEL
from explorer.metrics.metrics import ece
from tests.support.random_findings import findings

RESAMPLES, SEED = 10, 2


def many(n: int = 300, patients: int = 150, steep: float = 3.0) -> FindingScores:
    """Scores that are no rates: the finding is rarer than they say."""
    dice = np.random.default_rng(1)
    labels = (dice.random(n) < 0.25).astype(float)
    labels[:10] = np.nan
    scores = 1 / (1 + np.exp(-(steep * np.nan_to_num(labels) + dice.standard_normal(n))))
    return FindingScores(
        finding="Mass",
        models=("one",),
        labels=labels,
        scores=scores[None],
        called=np.zeros((1, n), dtype=np.int8),
        scales=(None,),
        centers=dice.choice(np.array([f"center {each}" for each in range(8)], dtype=object), n),
        patients=dice.integers(0, patients, n),
        weights=None,
    )


@given(findings())
def test_no_patient_is_in_two_folds_and_positive_ones_are_dealt_out_evenly(one: FindingScores) -> None:
    fold = patient_folds(one)
    for patient in np.unique(one.patients):
        assert len(set(fold[one.patients == patient].tolist())) == 1
    positive = np.unique(one.patients[one.labels == 1])
    each = np.bincount([fold[one.patients == patient][0] for patient in positive], minlength=CALIBRATION_FOLDS)
    assert each.max() - each.min() <= 1


def test_a_calibrated_score_is_by_the_curve_of_other_patients() -> None:
    one = many()
    found, fold = cross_fitted_scores(one, 0, "isotonic"), patient_folds(one)
    assert not isinstance(found, str)
    logits = np.log(one.scores[0] / (1 - one.scores[0]))
    for number in range(CALIBRATION_FOLDS):
        rest, here = one.known & (fold != number), one.known & (fold == number)
        curve = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip").fit(logits[rest], one.labels[rest])
        assert found[here] == pytest.approx(curve.predict(logits[here]))
    assert np.isnan(found[~one.known]).all()


def test_calibration_mends_what_is_no_rate_and_figures_are_those_of_the_metrics() -> None:
    one = many()
    raw, platt, isotonic = score_calibration(one, 0, RESAMPLES, SEED)
    assert platt.ece[0] < raw.ece[0] / 2 and isotonic.brier[0] > raw.brier[0]
    known = one.known
    truth, scores = one.labels[known], one.scores[0][known]
    assert raw.ece[0] == pytest.approx(ece(truth[:, None], scores[:, None])[0])
    prevalence = truth.mean()
    assert raw.brier[0] == pytest.approx(1 - brier_score_loss(truth, scores) / (prevalence * (1 - prevalence)))
    assert sum(each.present.n for each in platt.bins) == known.sum()
    patients, units = np.unique(one.patients, return_inverse=True)
    samples = []
    for r in range(RESAMPLES):
        drawn = np.random.default_rng([SEED, r]).integers(0, len(patients), len(patients))
        rows = np.repeat(np.arange(len(units)), np.bincount(drawn, minlength=len(patients))[units])
        rows = rows[known[rows]]
        samples.append(float(ece(one.labels[rows, None], one.scores[0][rows, None])[0]))
    assert raw.ece[1:] == pytest.approx(tuple(np.quantile(samples, LEVEL)))


def test_margins_are_calibrated_as_the_scores_that_they_are_the_logits_of() -> None:
    one = many()
    scores = one.scores[0]
    margins = replace(one, scores=(np.log(scores / (1 - scores)) / 4)[None], scales=(4.0,))
    for mine, other in zip(score_calibration(one, 0), score_calibration(margins, 0), strict=True):
        assert mine.ece[0] == pytest.approx(other.ece[0]) and mine.brier[0] == pytest.approx(other.brier[0])


@given(findings())
@settings(max_examples=50)
def test_every_small_cohort_has_figures_or_a_reason(one: FindingScores) -> None:
    each: ScoreCalibration
    for each in score_calibration(one, 0):
        assert (each.reason is None) == bool(each.bins) == (not np.isnan(each.ece[0]))
        assert each.reason is None or one.no_curve_reason is None or each.reason == one.no_curve_reason


def test_scores_that_are_no_fractions_say_so() -> None:
    one = many()
    assert {each.reason for each in score_calibration(replace(one, scores=one.scores + 1), 0)} == {
        "scores outside 0 to 1"
    }


@given(findings())
def test_a_spread_counts_every_film_with_a_known_label_once(one: FindingScores) -> None:
    edges, rows = score_spreads(one, 0)
    if not one.known.any():
        assert not rows
        return
    whole, *centers = rows
    assert (whole.present.sum(), whole.absent.sum()) == (one.positives, one.negatives)
    scores = one.scores[0][one.known]
    assert edges[0] <= scores.min() and edges[-1] >= scores.max()
    names = set(one.centers[one.known].tolist())
    assert {each.center for each in centers} == (names if len(names) > 1 else set())
    for each in centers:
        here = one.known & (one.centers == each.center)
        assert each.present.sum() == (one.labels[here] == 1).sum()
        assert each.absent.sum() == (one.labels[here] == 0).sum()


def test_of_many_centers_those_with_the_most_films_are_shown() -> None:
    one = many()
    shown = [each.center for each in score_spreads(one, 0)[1][1:]]
    names, counts = np.unique(one.centers[one.known].astype(str), return_counts=True)
    assert len(shown) == MAX_SHOWN_CENTERS
    films = dict(zip(names.tolist(), counts.tolist(), strict=True))
    assert min(films[str(each)] for each in shown) >= max(films[each] for each in films if each not in shown)
