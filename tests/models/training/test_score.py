"""The training room's figures against scikit-learn and worked examples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve

from models.statistics import platt, resampled, unsure_band, youden
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
    for rows in resampled(patients, 20):
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
    threshold = youden(present, SCORES)
    false_alarms, hits, _ = roc_curve(LABELS, SCORES)
    reached = (SCORES[present] >= threshold).mean() + (SCORES[~present] < threshold).mean() - 1
    assert reached == pytest.approx((hits - false_alarms).max(), abs=1e-9)
    assert threshold not in SCORES


def test_the_unsure_band_lies_between_the_cuts_of_90_percent() -> None:
    present, scores = LABELS > 0.5, expit(SCORES.astype(np.float64))
    band = unsure_band(present, scores, 0.5)
    assert band is not None
    low, high = band
    values = np.unique(scores)
    assert (scores[present] >= low).mean() >= 0.9
    assert (scores[~present] < high).mean() >= 0.9
    assert (scores[present] >= values[values > low][1]).mean() < 0.9, "a higher cut would do"
    assert (scores[~present] < values[values < high][-1]).mean() < 0.9, "a lower cut would do"


def test_the_unsure_band_holds_the_threshold() -> None:
    present, scores = LABELS > 0.5, expit(SCORES.astype(np.float64))
    low, high = unsure_band(present, scores, 0.5) or (np.nan, np.nan)
    assert unsure_band(present, scores, 0.01) == (0.01, high)
    assert unsure_band(present, scores, 0.99) == (low, 0.99)


def test_a_model_that_separates_is_never_unsure() -> None:
    present = np.arange(100) < 50
    assert unsure_band(present, np.where(present, 0.8, 0.3) + np.arange(100) / 1000, 0.5) is None


def test_platt_finds_the_slope_that_made_the_labels() -> None:
    logits = RANDOM.normal(size=20_000).astype(np.float32) * 2
    present = RANDOM.random(20_000) < expit(0.6 * logits - 1.2)
    slope, intercept = platt(present, logits)
    reference = LogisticRegression(C=1e9).fit(logits[:, None], present)
    assert slope == pytest.approx(float(reference.coef_[0, 0]), abs=0.01)
    assert intercept == pytest.approx(float(reference.intercept_[0]), abs=0.01)
