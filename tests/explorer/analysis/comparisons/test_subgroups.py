"""Subgroups against the rest, against scikit-learn, SciPy and the single bootstraps on random cohorts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import false_discovery_control
from sklearn.metrics import average_precision_score, roc_auc_score

from explorer.analysis.comparisons.subgroup_films import FINDINGS_PER_FILM, Subgroup, findings_per_film, labeled_films
from explorer.analysis.comparisons.subgroups import (
    SubgroupComparison,
    SubgroupRequest,
    adjusted_p,
    compare_with_rest,
    complement_index,
    subgroup_intervals,
    subgroup_points,
)
from explorer.analysis.leaderboard.joint_metrics import BOARD_MEASURES, BoardMeasure, joint_metrics, metric_on_sets
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.cohorts.schema import NO_CENTER
from explorer.core.age_bands import age_band
from explorer.core.arrays import Floats
from explorer.metrics import metrics
from explorer.metrics.bootstrap import LEVEL, bootstrap
from explorer.metrics.paired_rows import two_sided_p
from explorer.metrics.resamples import resamples_of
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.explorer.analysis.leaderboard.test_joint_metrics import joint_of
from tests.support.several_models import FINDINGS, MODELS, write_several
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

CHOSEN = Slice(NAME, MODELS[0])
RESAMPLES, SEED = 40, 7
EVERY = tuple(range(len(FINDINGS)))


@dataclass(frozen=True)
class Made:
    store: Store
    films: dict[str, Film]  # by case, those that every model scored and of which a label is known


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Random films of two sexes and some ages, some labeled by a second source."""
    place = tmp_path_factory.mktemp("subgroups")
    several = write_several(place, 21, 90)
    dice = np.random.default_rng(5)
    extra = [
        {"sex": ("F", "M", "unknown")[dice.integers(3)], "age": (None, 7, 45, 81)[dice.integers(4)]}
        for _ in several.films[MODELS[0]]
    ]
    films = {
        model: [replace(film, **more) for film, more in zip(of_model, extra, strict=True)]  # type: ignore[arg-type]
        for model, of_model in several.films.items()
    }
    for model, of_model in films.items():
        folder = write_small(place, of_model, several.thresholds[model], model=model)
    scored = [
        film
        for number, film in enumerate(films[MODELS[0]])
        if all(set(of_model[number].scores) == set(FINDINGS) for of_model in films.values())
    ]
    kept = {film.case: film for film in scored if {"present", "absent"} & set(film.labels.values())}
    return Made(store_of(folder), kept)


def joint_in(made: Made) -> JointScores:
    return labeled_films(joint_scores(made.store, CHOSEN, MODELS))


def points_in(made: Made, measure: BoardMeasure = "AUROC", *, natural: bool = False) -> tuple[SubgroupComparison, ...]:
    return subgroup_points(made.store, SubgroupRequest(CHOSEN, MODELS, measure, EVERY, natural))


def test_subgroups_are_the_films_of_each_kind(made: Made) -> None:
    films = [made.films[case] for case in sorted(made.films)]
    counts = [
        sum(label == "present" for finding, label in film.labels.items() if finding != "Normal") for film in films
    ]
    expected = {
        ("Center", NO_CENTER): [film.center == NO_CENTER for film in films],
        ("Center", "North"): [film.center == "North" for film in films],
        ("Center", "South"): [film.center == "South" for film in films],
        ("View", "AP"): [film.view == "AP" for film in films],
        ("View", "PA"): [film.view == "PA" for film in films],
        ("Sex", "female"): [film.sex == "F" for film in films],
        ("Sex", "male"): [film.sex == "M" for film in films],
        ("Sex", "not known"): [film.sex == "unknown" for film in films],
        **{
            ("Age", "not known" if band == "unknown" else band): [age_band(film.age) == band for film in films]
            for band in ("0-17", "40-59", "80+", "unknown")
        },
        (FINDINGS_PER_FILM, "none"): [count == 0 for count in counts],
        (FINDINGS_PER_FILM, "1"): [count == 1 for count in counts],
        (FINDINGS_PER_FILM, "2 or 3"): [2 <= count <= 3 for count in counts],
        (FINDINGS_PER_FILM, "4 or more"): [count > 3 for count in counts],
    }
    found = {(each.subgroup.by, each.subgroup.name): each.subgroup.inside.tolist() for each in points_in(made)}
    assert found == {key: inside for key, inside in expected.items() if any(inside)}


def test_who_labeled_a_film_tells_films_apart(tmp_path: Path) -> None:
    films = [
        Film(
            str(n),
            {"Mass": label} if n < 6 else {},
            {"Mass": n / 10},
            others={} if n < 4 else {"chart": {"Mass": label}},
        )
        for n, label in enumerate(["present", "absent"] * 5)
    ]
    store = store_of(write_small(tmp_path, films, {}))
    points = subgroup_points(store, SubgroupRequest(Slice(NAME, MODEL), (MODEL,), "AUROC", (0,), False))
    sources = {
        each.subgroup.name: each.subgroup.inside.tolist() for each in points if each.subgroup.by == "Labels from"
    }
    assert sorted(map(sum, sources.values())) == [6, 6]
    assert sources["chart"] == [n >= 4 for n in range(10)]


def test_findings_of_a_film_are_counted_without_normal_and_devices() -> None:
    joint = replace(
        joint_of(0, n=3, findings=4),
        findings=("Mass", "Normal", "Support Devices", "Nodule"),
        labels=np.array([[1, 0, 1, 1], [0, 1, 1, np.nan], [np.nan, 1, 0, 1]]),
    )
    assert findings_per_film(joint).tolist() == [2, 0, 1]


@pytest.mark.parametrize("natural", [False, True])
@pytest.mark.parametrize(("measure", "score"), [("AUROC", roc_auc_score), ("AP", average_precision_score)])
def test_means_are_over_the_findings_defined_on_both_sides(
    made: Made, measure: BoardMeasure, score: object, natural: bool
) -> None:
    joint = joint_in(made)
    for each in points_in(made, measure, natural=natural):
        sides = each.subgroup.inside, ~each.subgroup.inside
        counted = [place for place in EVERY if all(len(set(known(joint.labels[side, place]))) == 2 for side in sides)]
        assert each.counted == tuple(FINDINGS[place] for place in counted)
        positives = [(joint.labels[side, place] == 1).sum() for side in sides for place in counted]
        assert each.fewest == min(positives, default=0)
        assert each.films == sum(each.subgroup.inside) and each.others == len(joint.labels) - each.films
        for model in range(len(MODELS)):
            means = [mean_of(joint, side, counted, model, score, natural) for side in sides]
            found = each.here.value[model], each.rest.value[model], each.difference.value[model]
            assert found == pytest.approx((*means, means[0] - means[1]), nan_ok=True)


def known(labels: Floats) -> Floats:
    return labels[~np.isnan(labels)]


def mean_of(
    joint: JointScores, side: np.ndarray, counted: list[int], model: int, score: object, natural: bool
) -> float:
    """scikit-learn's mean over findings on one side; NaN where there is no finding."""
    values = []
    for place in counted:
        there = side & ~np.isnan(joint.labels[:, place])
        weights = joint.weights[there] if natural else None
        values.append(score(joint.labels[there, place], joint.scores[model, there, place], sample_weight=weights))  # type: ignore[operator]
    return float(np.mean(values)) if values else float("nan")


def test_two_sets_of_patients_are_resampled_each_by_itself(made: Made) -> None:
    """Of centers where every one has patients of its own."""
    both = joint_in(made)
    _, center = np.unique(both.centers.astype(str), return_inverse=True)
    joint = replace(both, patients=both.patients * 10 + center)
    centers = [each.subgroup for each in points_in(made) if each.subgroup.by == "Center"]
    for subgroup in centers:
        found = compare_with_rest(joint, subgroup, "AUROC", RESAMPLES, SEED, natural=False)
        assert found.shared == 0
        for model, scores in enumerate(joint.scores):
            sides = [
                resamples_of(int(side.sum()), RESAMPLES, SEED, joint.patients[side], None, stream).evaluate(
                    metrics.prepared_metric(metrics.auroc, joint.labels[side], scores[side], {})
                )
                for stream, side in enumerate((subgroup.inside, ~subgroup.inside))
            ]
            same_as_single(found, model, sides[0] - sides[1])


def test_patients_with_films_on_both_sides_are_resampled_together(made: Made) -> None:
    joint = joint_in(made)
    views = [each.subgroup for each in points_in(made) if each.subgroup.by == "View"]
    for subgroup in views:
        found = compare_with_rest(joint, subgroup, "AUROC", RESAMPLES, SEED, natural=False)
        assert found.shared > 0
        for model, scores in enumerate(joint.scores):
            sides = [
                bootstrap(
                    np.where(side[:, None], joint.labels, np.nan),
                    scores,
                    metrics.auroc,
                    RESAMPLES,
                    SEED,
                    joint.patients,
                ).samples
                for side in (subgroup.inside, ~subgroup.inside)
            ]
            same_as_single(found, model, sides[0] - sides[1])


def same_as_single(found: SubgroupComparison, model: int, less: Floats) -> None:
    """The difference's interval and p are those of the mean of the findings' own differences (resamples, findings);
    as labels and films are shared by the models, a finding is defined for all of them or for none.
    """
    values = less[:, [FINDINGS.index(finding) for finding in found.counted]]
    drawn = np.array([row[~np.isnan(row)].mean() if not np.isnan(row).all() else np.nan for row in values])
    ends = np.quantile(drawn[~np.isnan(drawn)], LEVEL)
    assert (found.difference.low[model], found.difference.high[model]) == pytest.approx(ends)
    assert found.p[model] == pytest.approx(two_sided_p(drawn))


def test_points_stay_when_intervals_come(made: Made) -> None:
    for measure in BOARD_MEASURES:
        question = SubgroupRequest(CHOSEN, MODELS, measure, EVERY, False)
        for place, point in enumerate(subgroup_points(made.store, question)):
            whole = subgroup_intervals(made.store, question, place)(10, 0)
            assert (whole.counted, whole.films, whole.fewest) == (point.counted, point.films, point.fewest)
            for one, other in ((whole.here, point.here), (whole.rest, point.rest)):
                assert one.value == pytest.approx(other.value, nan_ok=True)
            assert np.isnan(point.here.low).all() and point.resamples == 0 and whole.resamples == 10


@pytest.mark.slow
@settings(max_examples=30)  # of 30 sets each
@given(st.integers(0, 2**32 - 1), st.booleans(), st.sampled_from(BOARD_MEASURES))
def test_points_on_sets_of_films_are_those_of_the_films_alone(seed: int, natural: bool, measure: BoardMeasure) -> None:
    joint = joint_of(seed)
    sets = np.random.default_rng(seed).random((30, len(joint.labels))) < 0.6
    sets[:, 0] = True
    found = metric_on_sets(joint, sets, measure, natural=natural)
    for inside, values in zip(sets, found, strict=True):
        alone = joint_metrics(joint.of(inside), 0, 0, natural=natural).points[measure]
        assert values == pytest.approx(alone, abs=1e-12, nan_ok=True)


def test_p_is_adjusted_over_all_cells(made: Made) -> None:
    question = SubgroupRequest(CHOSEN, MODELS, "AUROC", EVERY, False)
    every = [
        subgroup_intervals(made.store, question, place)(RESAMPLES, SEED)
        for place in range(len(subgroup_points(made.store, question)))
    ]
    p = np.array([each.p for each in every])
    there = ~np.isnan(p)
    assert there.any() and not there.all(), "a subgroup without a finding on both sides has no p"
    assert adjusted_p(every)[there] == pytest.approx(false_discovery_control(p[there]))
    assert np.isnan(adjusted_p(every)[~there]).all()


def test_the_rest_of_two_is_the_mirror_of_the_other(made: Made) -> None:
    points = points_in(made)
    views = [place for place, each in enumerate(points) if each.subgroup.by == "View"]
    assert [complement_index(points, place) for place in views] == [views[0], views[0]]
    question = SubgroupRequest(CHOSEN, MODELS, "AUROC", EVERY, False)
    one, other = (subgroup_intervals(made.store, question, place)(RESAMPLES, SEED) for place in views)
    turned = one.mirrored(other.subgroup)
    assert (turned.films, turned.others, turned.counted) == (other.films, other.others, other.counted)
    for mine, its in ((turned.here, other.here), (turned.rest, other.rest), (turned.difference, other.difference)):
        for part in ("value", "low", "high"):
            assert getattr(mine, part) == pytest.approx(getattr(its, part), nan_ok=True)
    assert turned.p == pytest.approx(other.p)


def test_one_patient_has_no_interval_and_no_p() -> None:
    joint = replace(joint_of(2), patients=np.zeros(40, dtype=np.int64))
    inside = np.arange(40) < 20
    found = compare_with_rest(joint, Subgroup("View", "AP", inside), "AUROC", 10, 0, natural=False)
    assert not np.isnan(found.difference.value).any()
    assert np.isnan(found.difference.low).all() and np.isnan(found.p).all()
