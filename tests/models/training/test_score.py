"""The training room's figures against scikit-learn and worked examples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve

from models.statistics import fit_platt, patient_resamples, unsure_band, youden_threshold
from models.training.finding_free import finding_free
from models.training.score import auroc_estimates, pair_auroc

RANDOM = np.random.default_rng(3)
LABELS = (RANDOM.random(400) < 0.3).astype(np.float32)
SCORES = (RANDOM.normal(size=400) + LABELS).round(1).astype(np.float32)  # rounded: with ties
ONE = np.full(400, "images")


def test_one_folder_is_the_usual_auroc() -> None:
    assert pair_auroc(LABELS, SCORES, ONE) == pytest.approx(roc_auc_score(LABELS, SCORES), abs=1e-12)


def test_pairs_across_folders_do_not_count() -> None:
    folders = np.where(np.arange(400) % 2, "images", "images_64px")
    shifted = SCORES + 100 * (folders == "images")  # a folder that scores higher as a whole changes nothing
    assert pair_auroc(LABELS, shifted, folders) == pytest.approx(pair_auroc(LABELS, SCORES, folders), abs=1e-12)
    both = [(folders == name) for name in np.unique(folders)]
    pairs = [LABELS[rows].sum() * (1 - LABELS[rows]).sum() for rows in both]
    each = [roc_auc_score(LABELS[rows], SCORES[rows]) for rows in both]
    assert pair_auroc(LABELS, SCORES, folders) == pytest.approx(np.average(each, weights=pairs), abs=1e-9)


def test_one_class_is_undefined() -> None:
    assert np.isnan(pair_auroc(np.zeros(400, dtype=np.float32), SCORES, ONE))


def test_patients_are_drawn_whole() -> None:
    patients = np.array(["a", "a", "b", "c", "c", "c"])
    for rows in patient_resamples(patients, 20):
        counts = np.bincount(rows, minlength=6)
        assert counts[0] == counts[1]
        assert counts[3] == counts[4] == counts[5]
        assert counts[0] + counts[2] + counts[3] == 3


def test_intervals_hold_the_figure_and_shrink_with_n() -> None:
    patients = np.arange(400).astype(str)
    (few,), _ = auroc_estimates(LABELS[:100, None], SCORES[:100, None], ONE[:100], patients[:100], 10, resamples=200)
    (many,), macro = auroc_estimates(LABELS[:, None], SCORES[:, None], ONE, patients, 10, resamples=200)
    assert many.low < many.value < many.high
    assert many.high - many.low < few.high - few.low
    assert macro.value == many.value
    assert many.positives == LABELS.sum()


def test_youdens_threshold_is_scikit_learns_best() -> None:
    present = LABELS > 0.5
    threshold = youden_threshold(present, SCORES)
    false_alarms, hits, _ = roc_curve(LABELS, SCORES)
    reached = (SCORES[present] >= threshold).mean() + (SCORES[~present] < threshold).mean() - 1
    assert reached == pytest.approx((hits - false_alarms).max(), abs=1e-9)
    assert threshold not in SCORES


def test_the_unsure_band_goes_from_the_threshold_to_the_cut_of_90_percent_specificity() -> None:
    present, scores = LABELS > 0.5, expit(SCORES.astype(np.float64))
    band = unsure_band(present, scores, 0.5)
    assert band is not None
    low, high = band
    assert low == 0.5
    values = np.unique(scores)
    assert (scores[~present] < high).mean() >= 0.9
    assert (scores[~present] < values[values < high][-1]).mean() < 0.9, "a lower cut would do"


def test_above_a_threshold_that_few_others_reach_nothing_is_unsure() -> None:
    present, scores = LABELS > 0.5, expit(SCORES.astype(np.float64))
    assert unsure_band(present, scores, 0.99) is None


def test_films_without_findings_are_counted_by_patient() -> None:
    above = np.array([[True, True], [False, False], [False, False], [False, False]])
    unsure = np.array([[False, False], [True, False], [True, False], [False, False]])
    free = finding_free(above, unsure, np.array(["a", "b", "b", "c"]), "films")
    assert (free.films, free.above, free.unsure) == (4, 0.5, 0.5)
    # a resample of b alone has no film with one above, one of a alone has two on each
    assert (free.above_low, free.above_high) == (0.0, 2.0)
    assert (free.unsure_low, free.unsure_high) == (0.0, 1.0)
    assert finding_free(above, unsure, np.array(["a", "b", "b", "c"]), "films") == free


def test_of_no_film_no_mean_is_taken() -> None:
    with pytest.raises(ValueError, match="no film"):
        finding_free(np.zeros((0, 2), bool), np.zeros((0, 2), bool), np.array([], str), "films")


def test_a_model_that_separates_is_never_unsure() -> None:
    present = np.arange(100) < 50
    assert unsure_band(present, np.where(present, 0.8, 0.3) + np.arange(100) / 1000, 0.5) is None


def test_platt_finds_the_slope_that_made_the_labels() -> None:
    logits = RANDOM.normal(size=20_000).astype(np.float32) * 2
    present = RANDOM.random(20_000) < expit(0.6 * logits - 1.2)
    slope, intercept = fit_platt(present, logits)
    reference = LogisticRegression(C=1e9).fit(logits[:, None], present)
    assert slope == pytest.approx(float(reference.coef_[0, 0]), abs=0.01)
    assert intercept == pytest.approx(float(reference.intercept_[0]), abs=0.01)
