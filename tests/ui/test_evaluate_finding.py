"""The server's side of A finding: which finding an address means, a settled threshold, what is refused."""

from __future__ import annotations

import csv
import io
import json
from base64 import b64decode
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from sklearn.metrics import roc_auc_score

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.leaderboard.joint_scores import joint_scores
from explorer.cohorts.images import Images
from explorer.cohorts.reader_ratings import READER_RATINGS, write_ratings
from explorer.cohorts.schema import Label
from explorer.metrics.clustered_rates import clustered_rate
from explorer.metrics.predictive_values import predictive_values
from explorer.school.judging.answer import LearnerAnswer
from explorer.school.judging.results import LearnerFilmAnswer
from explorer.school.playlists.playlist import FilmQuestion
from explorer.school.playlists.truth import Truth
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.ui.evaluate.panels.finding_asked import FINDING_WORD
from explorer.ui.shared.links import cohort_id, model_id
from explorer.ui.shared.services import Services
from tests.explorer.school.classroom.kept_classes import keep_class
from tests.explorer.school.made import prepared_film
from tests.support.several_models import MODELS, write_several
from tests.support.small_cohort import NAME
from tests.support.wording import Wording
from tests.ui.counted_apart import until
from tests.ui.evaluate_asker import Ask, asker

WORDS = {
    "cohort": cohort_id(NAME),
    "models": ".".join(model_id(NAME, model) for model in MODELS),
    "reference": model_id(NAME, "two"),
    "panel": "finding",
}


WORDS_OF: dict[float, Label] = {1.0: "present", 0.0: "absent"}


def word(finding: str) -> str:
    return FINDING_WORD.write(NAME, finding) or ""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    made = write_several(tmp_path_factory.mktemp("cohorts"), 11, 60)
    return Store(lambda: (made.folder,))


@pytest.fixture(scope="module")
def ask(store: Store) -> Iterator[Ask]:
    with closing(IntervalsJob(store, resamples=20, seed=3)) as job:
        yield asker(Services(store, Images(), None, job))


def test_without_a_finding_in_the_address_the_most_frequent_abnormal_one_is_shown(ask: Ask) -> None:
    found = ask("panel", WORDS)
    assert found["content"]["finding"] == "Mass" and found["words"]["finding"] == word("Mass")
    assert found["title"].startswith("Mass. Scores of 3 models")


def test_the_finding_of_the_address_is_shown_and_one_that_is_not_there_is_told(ask: Ask) -> None:
    assert ask("panel", WORDS | {"finding": word("Scoliosis")})["content"]["finding"] == "Scoliosis"
    assert ask("panel", WORDS | {"finding": "luck"})["complaints"]


def test_bands_come_after_the_curves(ask: Ask) -> None:
    state = WORDS | {"finding": word("Normal")}
    first = ask("panel", state)["content"]["figure"]["data"]
    until(lambda: ask("panel", state, waiting=True), lambda answer: answer["stage"] != "computing")
    whole = ask("panel", state)
    assert not whole["computing"]
    filled = [each for each in whole["content"]["figure"]["data"] if each.get("fill")]
    assert len(filled) == 2 * len(MODELS) and not any(each.get("fill") for each in first)
    assert all(figure["low"] is not None for figure in whole["content"]["areas"]["AUROC"])


def test_scores_are_calibrated_on_other_folds_and_shown_by_center(ask: Ask) -> None:
    state = WORDS | {"finding": word("Normal")}
    until(lambda: ask("panel", state, waiting=True), lambda answer: answer["stage"] != "computing")
    content = ask("panel", state)["content"]
    assert [each["kind"].split(",")[0] for each in content["calibrated"]] == [
        "as scored",
        "Platt scaling",
        "isotonic regression",
    ]
    shown = [each for each in content["calibrated"] if each["reason"] is None]
    assert shown and all(each["ece"]["low"] is not None and each["brier"]["low"] is not None for each in shown)
    assert len(content["reliability"]["data"]) == len(shown)
    assert len(content["spread"]["data"]) == 2 * 4  # all films and three centers, by label


def test_a_finding_of_one_class_has_no_curve_and_says_so(ask: Ask) -> None:
    content = ask("panel", WORDS | {"finding": word("Hernia")})["content"]
    assert content["lacking"] == "no positives" and content["figure"] is None and content["prevalence"] is None


def test_the_steps_that_the_script_counts_with_are_exact(ask: Ask, store: Store) -> None:
    content = ask("panel", WORDS)["content"]
    joint = joint_scores(store, Slice(NAME, MODELS[0]), sorted(MODELS))
    place, model = joint.findings.index("Mass"), joint.models.index("two")
    labels, scores = joint.labels[:, place], joint.scores[model, :, place].astype(float)
    steps = content["steps"]
    assert steps["scores"] == sorted(set(scores[~np.isnan(labels)]), reverse=True)
    for score, hits, false_alarms in zip(*steps.values(), strict=True):
        assert hits == ((labels == 1) & (scores >= score)).sum()
        assert false_alarms == ((labels == 0) & (scores >= score)).sum()


@pytest.mark.parametrize(("typed", "prevalence"), [("", None), ("5", 0.05)])
def test_a_settled_threshold_has_the_intervals_of_rates_and_predictive_values(
    ask: Ask, store: Store, typed: str, prevalence: float | None
) -> None:
    found = ask("point", WORDS | {"at": "0.35", "prevalence": typed})
    joint = joint_scores(store, Slice(NAME, MODELS[0]), sorted(MODELS))
    place, model = joint.findings.index("Mass"), joint.models.index("two")
    labels, called = joint.labels[:, place], joint.scores[model][:, place] >= 0.35
    point = {
        name: clustered_rate(called[labels == label] == (label == 1), joint.patients[labels == label])
        for name, label in (("sensitivity", 1), ("specificity", 0))
    }
    share = prevalence or (labels == 1).sum() / (~np.isnan(labels)).sum()
    values = predictive_values(*point.values(), share)
    assert found["stage"] == "point" and found["prevalence"] == pytest.approx(share)
    for name, rate in point.items():
        assert list(found["mark"][name].values()) == [rate.value, *(rate.interval or ())]
    assert values.ppv is not None and values.npv is not None
    assert list(found["ppv"].values()) == pytest.approx([values.ppv.value, *values.ppv.interval])
    assert list(found["npv"].values()) == pytest.approx([values.npv.value, *values.npv.interval])


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ({"prevalence": "120"}, "not a usable prevalence"),
        ({"prevalence": "often"}, "not a number"),
        ({"at": "high"}, "not a number"),
        ({"at": "inf"}, "not a number"),
    ],
)
def test_what_is_no_prevalence_and_no_threshold_is_refused(ask: Ask, words: dict[str, str], title: str) -> None:
    found = ask("point", WORDS | words)
    assert found["stage"] == "refused" and title in found["title"] and found["detail"]


def test_the_settled_threshold_is_in_the_saved_table(ask: Ask) -> None:
    found = ask("board_file", WORDS | {"at": "0.35", "prevalence": "5"}, kind="csv")
    rows = list(csv.DictReader(io.StringIO(b64decode(found["data"]).decode())))
    chosen = {row["metric"]: row for row in rows if row["threshold"] == "chosen"}
    assert set(chosen) == {
        "sensitivity",
        "specificity",
        "precision",
        "F1",
        "PPV at prevalence 0.05",
        "NPV at prevalence 0.05",
    }
    assert {row["model"] for row in chosen.values()} == {"two"} and chosen["sensitivity"]["threshold_low"] == "0.35"
    others = {row["metric"].split(",")[0] for row in rows if not row["threshold"]}
    assert others == {"AUROC", "AP", "ECE", "scaled Brier"}


def test_a_class_that_read_the_films_is_counted_like_a_reader(
    ask: Ask, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    cases, dice = list(store.patients(NAME)), np.random.default_rng(4)
    joint = joint_scores(store, Slice(NAME, MODELS[0]), MODELS)
    labels = zip(joint.films, joint.labels[:, joint.findings.index("Mass")], strict=True)
    known = {cases[film]: said for film, said in labels if not np.isnan(said)}
    read = list(known)[:25]
    films = [
        replace(made, entry=replace(made.entry, cohort=NAME, case=case))
        for case in read
        for made in [prepared_film(FilmQuestion("present", "Mass"), Truth({"Mass": WORDS_OF[known[case]]}, ""))]
    ]
    calls = {who: dice.random(len(read)) < 0.5 for who in ("Quirin", "Xanthe", "Zebedee")}
    answers = [
        LearnerFilmAnswer(who, place, LearnerAnswer(2, present=bool(called[place])))
        for who, called in calls.items()
        for place in range(len(read))
    ]
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path))
    assert ask("panel", WORDS | {"finding": word("Mass")})["content"]["groups"] == []
    keep_class(tmp_path / "classes", "20261125-101500-0a1b", films, answers)
    found = ask("panel", WORDS | {"finding": word("Mass")})
    said = np.array([known[case] for case in read])
    most = np.sum(list(calls.values()), axis=0) >= 2
    names = ["most of Tails, 2026-11-25", *(f"learner {number}, Tails, 2026-11-25" for number in (1, 2, 3))]
    assert [each["name"] for each in found["content"]["groups"]] == names
    for mark, called in zip(found["content"]["groups"], (most, *calls.values()), strict=True):
        counts = mark["hits"], mark["misses"], mark["false_alarms"], mark["correct_rejections"]
        assert counts == tuple(
            int(np.sum((said == there) & (called == yes))) for there, yes in ((1, 1), (1, 0), (0, 1), (0, 0))
        )
    (stars,) = (
        trace
        for trace in found["content"]["figure"]["data"]
        if trace.get("name") == "learners of Tails, 2026-11-25" and trace["xaxis"] == "x"
    )
    assert stars["x"] == pytest.approx([np.mean(called[said == 0]) for called in calls.values()], abs=1e-4)
    assert stars["y"] == pytest.approx([np.mean(called[said == 1]) for called in calls.values()], abs=1e-4)
    dotted = [each for each in found["content"]["figure"]["data"] if str(each.get("name")).startswith("learner ")]
    assert len(dotted) == 2 * 3 and len(found["content"]["above"]) == 4
    numbered = next(note for note in found["notes"] if "learner" in note)
    wording(numbered)
    assert not any(who in json.dumps(found) for who in calls)


@pytest.fixture
def with_reader(store: Store) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """A reader of the first 40 compared films, imported; yields labels and ratings of those that are labeled."""
    cases, dice = list(store.patients(NAME)), np.random.default_rng(4)
    joint = joint_scores(store, Slice(NAME, MODELS[0]), MODELS)
    labels = joint.labels[:40, joint.findings.index("Mass")]
    ratings = dice.integers(1, 7, 40)
    rows = [
        {"reader": "R1", "case": cases[film], "finding": "Mass", "call": int(rating > 3), "rating": float(rating)}
        for film, rating in zip(joint.films[:40], ratings, strict=True)
    ]
    file = write_ratings(store.folder(NAME), "three", pa.Table.from_pylist(rows, READER_RATINGS))
    yield labels[~np.isnan(labels)], ratings[~np.isnan(labels)]
    file.unlink(missing_ok=True)


def test_an_imported_reader_is_a_point_a_curve_and_a_difference(
    ask: Ask, with_reader: tuple[np.ndarray, np.ndarray], wording: Wording
) -> None:
    labels, ratings = with_reader
    state = WORDS | {"finding": word("Mass")}
    until(lambda: ask("panel", state, waiting=True), lambda answer: answer["stage"] != "computing")
    found = ask("panel", state)
    content = found["content"]
    (mark,), (above,) = content["people"], content["above"]
    assert mark["name"] == above["name"] == "R1, three" and not content["comparing"]
    assert mark["hits"] == int(((labels == 1) & (ratings > 3)).sum())
    assert (above["films"], above["positives"], above["rated"]) == (len(labels), int(labels.sum()), len(labels))
    assert above["area"]["reader"] == pytest.approx(roc_auc_score(labels, ratings))
    assert above["specificity"]["reader"] == pytest.approx(np.mean(ratings[labels == 0] <= 3))
    assert all(above[each]["difference"]["low"] is not None for each in ("specificity", "sensitivity", "area"))
    drawn = [each for each in content["figure"]["data"] if each.get("name") in ("R1, three", "readers")]
    assert [each["mode"] for each in drawn] == ["lines", "lines", "markers", "markers"]
    rate, caught = np.mean(ratings[labels == 0] > 3), np.mean(ratings[labels == 1] > 3)
    share = content["prevalence"]
    precision = share * caught / (share * caught + (1 - share) * rate)
    assert [drawn[2]["x"], drawn[2]["y"]] == [[pytest.approx(rate, abs=1e-4)], [pytest.approx(caught, abs=1e-4)]]
    assert drawn[3]["y"] == [pytest.approx(precision, abs=1e-4)]
    wording([note for note in found["notes"] if "imported" in note or "Above the reader" in note])
    saved = ask("board_file", state, kind="csv")
    rows = [row for row in csv.DictReader(io.StringIO(b64decode(saved["data"]).decode())) if "minus" in row["metric"]]
    assert [row["source"] for row in rows] == ["R1, three"] * 3
    assert float(rows[2]["value"]) == pytest.approx(above["area"]["difference"]["value"], abs=1e-6)
    text = b64decode(ask("board_file", state, kind="markdown")["data"]).decode()
    assert "above each reader" in text


def test_a_damaged_file_of_readers_is_named_and_the_curves_stay(
    ask: Ask, store: Store, with_reader: tuple[np.ndarray, np.ndarray]
) -> None:
    (store.folder(NAME).path / "readers" / "three.parquet").write_bytes(b"no table")
    found = ask("panel", WORDS | {"finding": word("Mass")})
    assert any("three.parquet" in each for each in found["complaints"]) and found["content"]["figure"]
