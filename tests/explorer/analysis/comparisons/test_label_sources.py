"""Two sources of labels on the same films, against scikit-learn, SciPy and the single bootstraps."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import average_precision_score, cohen_kappa_score, roc_auc_score

from explorer.analysis.comparisons.label_sources import (
    LabelReading,
    NoLabelsInCommon,
    RankedMeasure,
    SourceComparison,
    compare_labeled,
    compare_sources,
    same_order,
    source_intervals,
)
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.core.figures import Estimate
from explorer.metrics import metrics
from explorer.metrics.agreement import cohen_kappa
from explorer.metrics.agreement_interval import agreement
from explorer.metrics.bootstrap import LEVEL, bootstrap
from explorer.metrics.rank_correlation import kendall
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.several_models import FINDINGS, LABELS, MODELS, write_several
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

CHOSEN = Slice(NAME, MODELS[0])
RESAMPLES, SEED = 30, 3
SCORES = {"AP": average_precision_score, "AUROC": roc_auc_score}
METRICS = {"AP": metrics.average_precision, "AUROC": metrics.auroc}
SEEN = [place for place, finding in enumerate(FINDINGS) if finding != "Scoliosis"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Random films, most of which a second source labels too, often otherwise."""
    place = tmp_path_factory.mktemp("sources")
    several = write_several(place, 8, 80)
    dice = np.random.default_rng(1)
    readers = [
        {
            finding: label if dice.random() < 0.6 else str(dice.choice([each for each in LABELS if each]))
            for finding, label in film.labels.items()
            if dice.random() < 0.9
        }
        for film in several.films[MODELS[0]]
    ]
    for model, films in several.films.items():
        both = [
            replace(film, others={"readers": more}) if more else film for film, more in zip(films, readers, strict=True)
        ]
        folder = write_small(place, both, several.thresholds[model], model=model)
    return store_of(folder)


@pytest.fixture(scope="module")
def sources(store: Store) -> list[str]:
    return sorted(store.facets(NAME, MODELS[0]).label_sources)


def readings(sources: list[str]) -> list[LabelReading]:
    return list(map(LabelReading, sources))


def labeled(store: Store, sources: list[str]) -> list[JointScores]:
    """Each source's labels where both have one."""
    each = [joint_scores(store, replace(CHOSEN, label_source=source), MODELS) for source in sources]
    known = ~np.isnan(each[0].labels) & ~np.isnan(each[1].labels)
    return [replace(joint, labels=np.where(known, joint.labels, np.nan)) for joint in each]


@pytest.mark.parametrize("measure", ["AP", "AUROC"])
def test_metrics_are_scikit_learns_on_films_that_both_label(
    store: Store, sources: list[str], measure: RankedMeasure
) -> None:
    found = compare_sources(store, CHOSEN, MODELS, readings(sources), measure)
    joints = labeled(store, sources)
    one_class = [any(len(set(known(joint.labels[:, place]))) < 2 for joint in joints) for place in range(len(FINDINGS))]
    counted = [place for place in SEEN if not one_class[place]]
    assert found.counted == tuple(FINDINGS[place] for place in counted) and counted
    assert found.films == int((~np.isnan(joints[0].labels)).any(axis=1).sum())
    for joint, figures, means, positives in zip(joints, found.by_finding, found.means, found.positives, strict=True):
        assert positives.tolist() == (joint.labels == 1).sum(axis=0).tolist()
        for model in range(len(MODELS)):
            values = []
            for place in counted:
                there = ~np.isnan(joint.labels[:, place])
                assert found.known[place] == there.sum()
                values.append(SCORES[measure](joint.labels[there, place], joint.scores[model, there, place]))
            assert figures.point[model, counted] == pytest.approx(values)
            assert means.value[model] == pytest.approx(np.mean(values))


def known(labels: np.ndarray) -> np.ndarray:
    return labels[~np.isnan(labels)]


def test_orders_are_compared_as_scipy_does(store: Store, sources: list[str]) -> None:
    found = compare_sources(store, CHOSEN, MODELS, readings(sources), "AUROC")
    means = [each.value for each in found.means]
    assert found.over_models is not None
    same(found.over_models, kendalltau(*means).statistic, spearmanr(*means).statistic)
    counted = [FINDINGS.index(finding) for finding in found.counted]
    for model, estimates in enumerate(found.over_findings):
        values = [figures.point[model, counted] for figures in found.by_finding]
        same(estimates, kendalltau(*values).statistic, spearmanr(*values).statistic)


def same(estimates: tuple[Estimate, Estimate], tau: float, rho: float) -> None:
    assert [each.value for each in estimates] == pytest.approx([tau, rho], nan_ok=True)


def test_agreement_is_cohens_kappa_of_the_films_that_both_label(store: Store, sources: list[str]) -> None:
    found = whole(store, sources, "AP")
    one, other = labeled(store, sources)
    for place, each in enumerate(found.agreement):
        there = ~np.isnan(one.labels[:, place])
        a, b = one.labels[there, place], other.labels[there, place]
        assert each.films == there.sum()
        counts = [((a == 1) & (b == 1)).sum(), ((a == 1) & (b == 0)).sum(), ((a == 0) & (b == 1)).sum()]
        assert [each.both, each.first, each.second] == counts
        if len(set(a) | set(b)) < 2:
            assert np.isnan(each.kappa.value)
            continue
        assert each.kappa.value == pytest.approx(cohen_kappa_score(a, b))
        ratings = np.stack([a, b], axis=1)
        drawn = agreement(cohen_kappa, ratings, resamples=RESAMPLES, seed=SEED, unit=one.patients[there])
        assert (each.kappa.low, each.kappa.high) == drawn.interval


def whole(store: Store, sources: list[str], measure: RankedMeasure) -> SourceComparison:
    return source_intervals(store, CHOSEN, MODELS, readings(sources), measure)(RESAMPLES, SEED)


@pytest.mark.parametrize("measure", ["AP", "AUROC"])
def test_both_sources_are_on_the_same_resamples(store: Store, sources: list[str], measure: RankedMeasure) -> None:
    found = whole(store, sources, measure)
    joints = [joint.of((~np.isnan(joint.labels)).any(axis=1)) for joint in labeled(store, sources)]
    drawn = [
        [
            bootstrap(joint.labels, scores, METRICS[measure], RESAMPLES, SEED, joint.patients).samples
            for scores in joint.scores
        ]
        for joint in joints
    ]
    counted = [FINDINGS.index(finding) for finding in found.counted]
    taus = []
    for values in np.array(drawn)[:, :, :, counted].transpose(2, 0, 1, 3):  # (sources, models, findings) of a resample
        defined = ~np.isnan(values).any(axis=(0, 1))
        means = values[:, :, defined].mean(axis=2) if defined.any() else np.full(values.shape[:2], np.nan)
        taus.append(float(kendall(*means)))
    ends = np.quantile([tau for tau in taus if tau == tau], LEVEL)
    assert found.over_models is not None
    assert (found.over_models[0].low, found.over_models[0].high) == pytest.approx(tuple(ends))


def test_one_source_has_its_figures_and_nothing_to_compare(store: Store, sources: list[str]) -> None:
    found = compare_sources(store, CHOSEN, MODELS, readings(sources[:1]), "AP")
    assert len(found.means) == 1 and found.over_models is None
    assert found.over_findings == () and found.agreement == ()


def test_sources_that_agree_give_one_order_and_a_kappa_of_1(store: Store, sources: list[str]) -> None:
    joint = labeled(store, sources)[0]
    found = compare_labeled([joint, joint], ["a", "b"], "AP", 0, 0)
    assert found.over_models is not None and [each.value for each in found.over_models] == pytest.approx([1, 1])
    assert all(each.kappa.value == 1 or np.isnan(each.kappa.value) for each in found.agreement)


def test_sources_without_a_film_in_common_are_refused(tmp_path: Path) -> None:
    films = [Film(str(n), {"Mass": "present"} if n else {}, {"Mass": 0.5}) for n in range(3)]
    films[0] = replace(films[0], others={"readers": {"Mass": "absent"}})
    store = store_of(write_small(tmp_path, films, {}))
    sources = sorted(store.facets(NAME, MODEL).label_sources)
    with pytest.raises(NoLabelsInCommon, match="no film in common"):
        compare_sources(store, Slice(NAME, MODEL), (MODEL,), readings(sources), "AP")


def test_uncertain_labels_count_as_absent_or_as_present_and_nothing_else_changes(store: Store) -> None:
    plain, zeros, ones = (
        joint_scores(store, CHOSEN, MODELS, uncertain=policy).labels for policy in ("ignore", "zeros", "ones")
    )
    uncertain = np.isnan(plain) & ~np.isnan(zeros)
    assert uncertain.any() and not uncertain.all()
    assert (zeros[uncertain] == 0).all() and (ones[uncertain] == 1).all()
    for each in (zeros, ones):
        np.testing.assert_array_equal(each[~uncertain], plain[~uncertain])
    every, as_present = (store.grid(NAME, MODELS[0], uncertain=policy) for policy in ("ignore", "ones"))
    counted = np.isnan(every.label) & (as_present.label == 1) & ~np.isnan(every.score)
    assert store.facets(NAME, MODELS[0]).uncertain[""] == counted.sum()
    found = compare_sources(store, CHOSEN, MODELS, [LabelReading(None, "zeros"), LabelReading(None, "ones")], "AUROC")
    assert [each.second for each in found.agreement] == uncertain.sum(axis=0).tolist()
    assert {each.first for each in found.agreement} == {0}
    for labels, figures in zip((zeros, ones), found.by_finding, strict=True):
        there = ~np.isnan(labels[:, 0])
        scores = joint_scores(store, CHOSEN, MODELS).scores[0, there, 0]
        assert figures.point[0, 0] == pytest.approx(roc_auc_score(labels[there, 0], scores))


@pytest.mark.parametrize(("other", "same"), [([0.4, 0.9, 0.8], True), ([0.4, 0.8, 0.9], False)])
def test_an_order_is_the_same_only_if_no_two_models_change_places(other: list[float], same: bool) -> None:
    assert same_order(np.array([0.1, 0.3, 0.2]), np.array(other)) is same
