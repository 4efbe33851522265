"""F1 at three thresholds against scikit-learn over random small cohorts, means and losses against plain loops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from explorer.analysis.comparisons.threshold_price import (
    THRESHOLD_CHOICES,
    best_threshold,
    price_thresholds,
    threshold_prices,
)
from explorer.analysis.leaderboard.joint_metrics import joint_metrics
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.leaderboard.means import leaderboard
from explorer.analysis.one_finding.scores import FindingScores
from explorer.metrics.bootstrap import LEVEL
from explorer.store.slices import Slice
from tests.support.random_findings import findings
from tests.support.several_models import FINDINGS, MODELS, write_several
from tests.support.small_cohort import NAME, store_of

CHOSEN = Slice(NAME, MODELS[0])
RESAMPLES, SEED = 12, 3


def joint_of(place: Path, seed: int = 4, n: int = 60) -> JointScores:
    return joint_scores(store_of(write_several(place, seed, n).folder), CHOSEN, MODELS)


@given(findings())
@settings(max_examples=60)
def test_the_best_threshold_is_the_lowest_of_those_with_the_largest_f1(one: FindingScores) -> None:
    found = best_threshold(one.labels, one.scores[0], one.weights)
    if not one.positives:
        assert np.isnan(found)
        return
    truth, scores = one.labels[one.known], one.scores[0][one.known]
    weights = None if one.weights is None else one.weights[one.known]
    each = {cut: f1_score(truth, scores >= cut, sample_weight=weights) for cut in np.unique(scores)}
    assert found == min(cut for cut, value in each.items() if value == pytest.approx(max(each.values()), abs=1e-12))


@given(seed=st.integers(0, 50), natural=st.booleans())
@settings(max_examples=5)
def test_f1_at_every_place_is_scikit_learns(tmp_path_factory: pytest.TempPathFactory, seed: int, natural: bool) -> None:
    joint = joint_of(tmp_path_factory.mktemp("several"), seed)
    found = price_thresholds(joint, 0, 0, natural=natural)
    own = joint_metrics(joint, 0, 0, natural=natural).points["F1"]
    assert found.points[THRESHOLD_CHOICES.index("own")] == pytest.approx(own, nan_ok=True), "that of the leaderboard"
    for model, finding in np.ndindex(own.shape):
        labels, scores = joint.labels[:, finding], joint.scores[model, :, finding]
        known = ~np.isnan(labels)
        for place, cut in (("0.5", 0.5), ("best", found.best[model, finding])):
            value = found.points[THRESHOLD_CHOICES.index(place), model, finding]
            if not (labels == 1).any():
                assert np.isnan(value)
                continue
            weights = joint.weights[known] if natural else None
            assert value == pytest.approx(f1_score(labels[known], scores[known] >= cut, sample_weight=weights))
        at_best = found.points[:, model, finding]
        assert np.isnan(at_best).all() or np.nanmax(at_best) == pytest.approx(at_best[-1])


def test_intervals_and_losses_are_quantiles_over_the_same_resampled_patients(tmp_path: Path) -> None:
    joint = joint_of(tmp_path)
    found = price_thresholds(joint, RESAMPLES, SEED, natural=False)
    assert found.seen is not None and found.unseen is not None
    patients, units = np.unique(joint.patients, return_inverse=True)
    mass, two = joint.findings.index("Mass"), joint.models.index("two")
    samples: list[float] = []
    for r in range(RESAMPLES):
        drawn = np.random.default_rng([SEED, r]).integers(0, len(patients), len(patients))
        counts = np.bincount(drawn, minlength=len(patients))[units]
        known = ~np.isnan(joint.labels[:, mass])
        calls = joint.scores[two, :, mass] >= 0.5
        drawn_positives = counts[joint.labels[:, mass] == 1].sum()
        value = f1_score(joint.labels[known, mass], calls[known], sample_weight=counts[known])
        samples.append(value if drawn_positives else np.nan)
    ends = found.low[0, two, mass], found.high[0, two, mass]
    assert ends == pytest.approx(np.nanquantile(samples, LEVEL))
    lost, low, high = found.lost(found.seen, "0.5")
    models = len(joint.models)
    counted = list(found.seen.counted)
    assert lost == pytest.approx((found.points[2][:, counted] - found.points[0][:, counted]).mean(axis=1))
    less = found.seen.samples[:, 2 * models :] - found.seen.samples[:, :models]
    assert np.stack([low, high]) == pytest.approx(np.nanquantile(less, LEVEL, axis=0))


def test_means_are_over_the_findings_that_every_model_has_everywhere(tmp_path: Path) -> None:
    joint = joint_of(tmp_path)
    found = price_thresholds(joint, 0, 0, natural=False)
    assert found.seen is not None
    seen = [place for place, name in enumerate(FINDINGS) if name != "Scoliosis"]
    defined = ~np.isnan(found.points).any(axis=(0, 1))
    compared = ~np.isnan(found.points[:, :, seen]).all(axis=2)
    if compared.all():
        assert found.seen.counted == tuple(place for place in seen if defined[place])
    assert "Hernia" not in {joint.findings[place] for place in found.seen.counted}


def test_a_margin_is_called_where_its_sigmoid_is_a_half(tmp_path: Path) -> None:
    from dataclasses import replace

    joint = joint_of(tmp_path)
    margins = replace(joint, scores=joint.scores - 0.5, scales=(10.0,) * len(joint.models))
    one, other = (price_thresholds(each, 0, 0, natural=False).points[0] for each in (joint, margins))
    assert one == pytest.approx(other, nan_ok=True)


def test_points_are_there_at_once_and_those_of_the_leaderboard(tmp_path: Path) -> None:
    store = store_of(write_several(tmp_path, 4, 60).folder)
    found = threshold_prices(store, CHOSEN, MODELS, natural=False)
    assert not found.resamples and np.isnan(found.low).all()
    board = leaderboard(store, CHOSEN, MODELS)
    assert found.points[1] == pytest.approx(board.by_finding["F1"].point, nan_ok=True)
