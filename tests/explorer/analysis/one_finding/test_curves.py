"""Curves and bands of one finding against scikit-learn, on random small cohorts and on each of their resamples."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score, roc_curve

from explorer.analysis.one_finding import curves as finding_curves
from explorer.analysis.one_finding.curves import BAND_GRID, curve_bands, model_curves
from explorer.analysis.one_finding.scores import FindingScores
from explorer.core.arrays import Floats
from explorer.metrics.bootstrap import LEVEL
from tests.support.random_findings import findings

RESAMPLES, SEED = 8, 3


@given(findings())
@settings(max_examples=60)
def test_the_area_below_the_curves_is_auroc_and_average_precision(one: FindingScores) -> None:
    drawn = model_curves(one)
    assert bool(drawn) == (one.no_curve_reason is None) == bool(one.positives and one.negatives)
    for model, each in enumerate(drawn):
        cases = one.labels[one.known], one.scores[model][one.known]
        weights = None if one.weights is None else one.weights[one.known]
        assert auc(each.roc.x, each.roc.y) == pytest.approx(roc_auc_score(*cases, sample_weight=weights))
        steps = (np.diff(each.pr.x, prepend=0) * each.pr.y).sum()
        assert steps == pytest.approx(average_precision_score(*cases, sample_weight=weights))


@pytest.mark.slow
@given(findings(both_classes=True))
@settings(max_examples=20)
def test_bands_are_quantiles_over_resampled_patients_of_scikit_learns_curves(one: FindingScores) -> None:
    found = curve_bands(one, RESAMPLES, SEED)
    patients, units = np.unique(one.patients, return_inverse=True)
    for model, scores in enumerate(one.scores):
        samples = []
        for r in range(RESAMPLES):
            drawn = np.random.default_rng([SEED, r]).integers(0, len(patients), len(patients))
            counts = np.bincount(drawn, minlength=len(patients))[units] * (1 if one.weights is None else one.weights)
            samples.append(_on_grid(one.labels, scores, counts * one.known))
        both = np.array(samples)
        if len(np.unique(units[one.known])) < 2:
            assert np.isnan(found.roc_low).all()
            continue
        low, high = (np.nanquantile(both, level, axis=0) if not np.isnan(both).all() else both[0] for level in LEVEL)
        assert np.stack([found.roc_low[model], found.pr_low[model]]) == pytest.approx(low, nan_ok=True, abs=1e-9)
        assert np.stack([found.roc_high[model], found.pr_high[model]]) == pytest.approx(high, nan_ok=True, abs=1e-9)


def _on_grid(labels: Floats, scores: Floats, weights: Floats) -> Floats:
    """Sensitivities at false positive rates and precisions at recalls (2, grid) of one resample."""
    there = weights > 0
    truth, score, weight = labels[there], scores[there], weights[there]
    if len(set(truth.tolist())) < 2:
        return np.full((2, len(BAND_GRID)), np.nan)
    rate, sensitivity, _ = roc_curve(truth, score, sample_weight=weight, drop_intermediate=False)
    highest = [np.interp(x, rate, sensitivity) if x not in rate else sensitivity[rate <= x].max() for x in BAND_GRID]
    roc = [max(h, sensitivity[rate <= x + 1e-9].max()) for h, x in zip(highest, BAND_GRID, strict=True)]
    precision, recall, _ = precision_recall_curve(truth, score, sample_weight=weight)
    precision, recall = precision[:-1][::-1], recall[:-1][::-1]
    steps = [precision[np.flatnonzero(recall >= max(x - 1e-9, 1e-9))[0]] for x in BAND_GRID]
    return np.array([roc, steps])


def test_a_curve_of_many_corners_is_thinned_between_its_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding_curves, "MAX_CORNERS", 5)
    dice = np.random.default_rng(0)
    n = 200
    one = FindingScores(
        "Mass",
        ("one",),
        (dice.random(n) < 0.4).astype(float),
        dice.random((1, n)),
        np.zeros((1, n), dtype=np.int8),
        (None,),
        np.full(n, "North", dtype=object),
        np.arange(n),
        None,
    )
    (drawn,) = model_curves(one)
    assert len(drawn.roc.x) == len(drawn.pr.x) == 5
    assert (drawn.roc.x[0], drawn.roc.y[0], drawn.roc.x[-1], drawn.roc.y[-1]) == (0, 0, 1, 1)
