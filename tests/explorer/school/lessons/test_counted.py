"""Means and films of the lessons against scikit-learn and a plain loop, on made up cohorts."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from explorer.core.findings import Outcome
from explorer.school.lessons.catalog import LESSONS
from explorer.school.lessons.counted import lesson_facts
from explorer.school.lessons.fact import FilmOutcome
from explorer.school.lessons.film_search import FilmSearch
from explorer.school.lessons.means import average_precisions, group_means
from explorer.store.store import Store
from tests.support.small_cohort import Film, store_of, write_small

FINDINGS = ("Hydropneumothorax", "Emphysema", "Mass")  # two of them very rare
MODELS = ("lab-bce-0", "lab-class-aware-0")
N = 60


@pytest.fixture(scope="module")
def films() -> dict[str, list[Film]]:
    random = np.random.default_rng(5)
    labels = random.random((N, 3)) < 0.3
    made = {}
    for model in MODELS:
        scores = np.round(np.clip(0.4 * labels + random.random((N, 3)) * 0.7, 0, 1), 3)
        made[model] = [
            Film(
                f"{'AB'[row % 2]}-{row:03d}",
                {name: "present" if labels[row, at] else "absent" for at, name in enumerate(FINDINGS)},
                {name: float(scores[row, at]) for at, name in enumerate(FINDINGS)},
                center="AB"[row % 2],
                file=f"phantom://v1/A/{row}" if row % 5 else None,
            )
            for row in range(N)
        ]
    return made


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, films: dict[str, list[Film]]) -> Store:
    place = tmp_path_factory.mktemp("lessons")
    cuts = dict.fromkeys(FINDINGS, 0.5)
    for model, those in films.items():
        folder = write_small(place, those, cuts, name="phantom", model=model, simulated=True)
    return store_of(folder)


def columns(films: list[Film], finding: str, center: str = "") -> tuple[np.ndarray, np.ndarray]:
    those = sorted((film for film in films if center in film.center), key=lambda film: film.case)
    return np.array([film.labels[finding] == "present" for film in those]), np.array([f.scores[finding] for f in those])


def resampled(labels: np.ndarray, scores: list[np.ndarray], metric: object) -> np.ndarray:
    """The means over findings by resample, drawn as `bootstrap` says it draws."""
    values = []
    for resample in range(1000):
        rows = np.random.default_rng([0, resample]).integers(0, len(labels), len(labels))
        each = [metric(labels[rows, at], scores[at][rows]) for at in range(labels.shape[1])]  # type: ignore[operator]
        values.append(np.mean(each))
    return np.quantile(values, [0.025, 0.975])


@pytest.mark.slow
def test_means_of_a_group_are_scikit_learns_with_the_interval_of_a_plain_loop(
    store: Store, films: dict[str, list[Film]]
) -> None:
    found = group_means(store, "phantom", MODELS, "AP", "very rare")
    assert found is not None
    for mean, model in zip(found, MODELS, strict=True):
        both = [columns(films[model], name) for name in FINDINGS[:2]]
        assert mean.value == pytest.approx(np.mean([average_precision_score(*pair) for pair in both]))
        assert (mean.findings, mean.films) == (2, N) and mean.fewest == min(labels.sum() for labels, _ in both)
        labels, scores = np.stack([pair[0] for pair in both], axis=1), [pair[1] for pair in both]
        assert mean.interval == pytest.approx(resampled(labels, scores, average_precision_score), abs=1e-9)


def test_means_of_a_center_count_its_films_alone(store: Store, films: dict[str, list[Film]]) -> None:
    found = group_means(store, "phantom", MODELS, "AUROC", "center B")
    assert found is not None
    for mean, model in zip(found, MODELS, strict=True):
        values = [roc_auc_score(*columns(films[model], name, "B")) for name in FINDINGS]
        assert (mean.value, mean.films) == (pytest.approx(np.mean(values)), N // 2)
    assert group_means(store, "phantom", MODELS, "AP", "center C") is None
    assert group_means(store, "phantom", ("nobody",), "AP", "very rare") is None


def test_precisions_are_scikit_learns(store: Store, films: dict[str, list[Film]]) -> None:
    found = average_precisions(store, "phantom", MODELS[0])
    assert set(found) == set(FINDINGS)
    for name, (value, reach) in found.items():
        assert value == pytest.approx(average_precision_score(*columns(films[MODELS[0]], name)))
        assert reach is not None and reach[0] < value < reach[1]


def became(film: Film, finding: str) -> Outcome:
    called = film.scores[finding] >= 0.5
    if film.labels[finding] == "present":
        return Outcome.HIT if called else Outcome.MISS
    return Outcome.FALSE_ALARM if called else Outcome.CORRECT_REJECTION


@pytest.mark.parametrize("outcome", list(Outcome))
@pytest.mark.parametrize("center", [None, "A"])
def test_the_film_of_a_step_is_the_one_that_a_plain_loop_finds(
    store: Store, films: dict[str, list[Film]], outcome: Outcome, center: str | None
) -> None:
    wanted = [FilmOutcome(MODELS[0], "Mass", outcome), FilmOutcome(MODELS[1], "Emphysema", Outcome.CORRECT_REJECTION)]
    sign = -1 if outcome in (Outcome.HIT, Outcome.FALSE_ALARM) else 1
    fitting = [
        (sum(label == "present" for label in one.labels.values()), sign * one.scores["Mass"], one.case)
        for one, other in zip(films[MODELS[0]], films[MODELS[1]], strict=True)
        if became(one, "Mass") is outcome and became(other, "Emphysema") is Outcome.CORRECT_REJECTION
        if one.file is not None and center in (None, one.center)
    ]
    expected = [case for *_, case in sorted(fitting)]
    search = FilmSearch(store, "phantom")
    assert search.first(wanted, center) == (expected[0] if expected else None)
    assert search.first(wanted, center, expected[:1]) == (expected[1] if len(expected) > 1 else None)


def test_a_step_without_a_film_is_left_out(store: Store) -> None:
    known = lesson_facts(store, "nobody", "nobody")
    assert known.text_model is None and known.classifier is not None
    sampling = next(lesson for lesson in LESSONS if "sampling" in lesson.title)
    for step in sampling.make_steps(known):
        (first, *_) = step.facts
        assert isinstance(first, FilmOutcome) and first.model in MODELS
    assert [
        len(lesson.make_steps(known))
        for lesson in LESSONS
        if lesson.title in ("What zero-shot knows", "Another hospital")
    ] == [0, 0]
