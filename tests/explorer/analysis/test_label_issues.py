from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import explorer.analysis.label_issues.near_duplicates as module
from explorer.analysis.label_issues.issue import CheckedFinding
from explorer.analysis.label_issues.rules import RuleIssues, label_issues
from explorer.cohorts.manifest import read_model_manifest, write_manifest
from explorer.core.findings import Outcome
from explorer.core.in_sample import Origin
from explorer.store.slices import Slice
from tests.support.lasting_store import loaded_store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small
from tests.support.wording import Wording, line_with

SMALL = Slice(NAME, MODEL)
YES, NO = "present", "absent"


def rules(place: Path, films: list[Film], asked: Slice = SMALL, **options: object) -> dict[str, RuleIssues]:
    cuts = {finding: 0.5 for film in films for finding in film.scores}
    store = store_of(write_small(place, films, cuts, **options))  # type: ignore[arg-type]
    return {each.rule: each for each in label_issues(store, asked)}


def film(case: str, labels: dict[str, str], **options: object) -> Film:
    return Film(case, labels, {"Mass": 0.5, "Normal": 0.5}, **options)  # type: ignore[arg-type]


def test_normal_beside_a_finding_contradicts_itself_support_devices_excepted(tmp_path: Path, wording: Wording) -> None:
    films = [
        film("a", {"Normal": YES, "Mass": YES, "Edema": YES}),
        film("b", {"Normal": YES, "Support Devices": YES}),
        film("c", {"Normal": YES, "Mass": NO}),
        film("d", {"Normal": NO, "Mass": YES}),
    ]
    found = rules(tmp_path, films)["contradiction"]
    (issue,) = found.issues
    assert (issue.cases, issue.finding) == (("a",), None)
    wording(issue.reason, "Normal", "Edema", "Mass")


def test_films_of_one_study_have_one_truth(tmp_path: Path) -> None:
    films = [
        film("a", {"Mass": YES}, study="1", patient="x"),
        film("b", {"Mass": NO}, study="1", patient="x"),
        film("c", {"Mass": YES}, study="2", patient="x"),
        film("d", {"Mass": "uncertain"}, study="2", patient="x"),
        film("e", {"Mass": NO}, study="1", patient="x", center="South"),  # another hospital's study 1
        film("f", {"Mass": YES}),
        film("g", {"Mass": NO}),
    ]
    (issue,) = rules(tmp_path, films)["contradiction"].issues
    assert (issue.cases, issue.finding) == (("a", "b"), "Mass")


def test_sources_that_disagree_are_told_and_one_source_alone_is_not_asked_about(
    tmp_path: Path, wording: Wording
) -> None:
    films = [
        film("a", {"Mass": YES}, others={"two": {"Mass": NO}}),
        film("b", {"Mass": YES}, others={"two": {"Mass": YES}}),
    ]
    (issue,) = rules(tmp_path / "1", films)["contradiction"].issues
    assert issue.cases == ("a",)
    wording(issue.reason, "Mass")
    assert rules(tmp_path / "2", films, Slice(NAME, MODEL, label_source="one"))["contradiction"].total == 0


def test_only_films_of_the_slice_are_asked_about_whatever_the_model_said(tmp_path: Path) -> None:
    films = [film(center, {"Normal": YES, "Mass": YES}, center=center) for center in ("a", "b")]
    found = rules(tmp_path, films, Slice(NAME, MODEL, center="b", outcomes=(Outcome.MISS,)))["contradiction"]
    assert [issue.cases for issue in found.issues] == [("b",)]


def test_of_a_slice_of_one_finding_those_that_are_about_it(tmp_path: Path) -> None:
    films = [film("a", {"Normal": YES, "Edema": YES}), film("b", {"Normal": YES, "Mass": YES})]
    for finding, cases in (("Mass", [("b",)]), ("Normal", [("a",), ("b",)])):
        found = rules(tmp_path / finding, films, Slice(NAME, MODEL, finding=finding))["contradiction"]
        assert [issue.cases for issue in found.issues] == cases


def test_without_features_near_duplicates_are_not_looked_for(tmp_path: Path) -> None:
    found = rules(tmp_path, [film("a", {"Mass": YES})])["near-duplicate"]
    assert found.total == 0 and "has no features" in found.explains


def vectors(n: int, seed: int = 0) -> list[list[float]]:
    return np.random.default_rng(seed).standard_normal((n, 16)).tolist()


def test_near_duplicates_with_different_labels(tmp_path: Path, wording: Wording) -> None:
    apart = vectors(12)
    again = [[value * 1.01 + 0.01 for value in apart[place]] for place in range(3)]
    films = [
        film(f"a{place:02}", {"Mass": YES, "Normal": NO}, features=apart[place], patient="p") for place in range(12)
    ]
    films += [
        film("b00", {"Mass": NO, "Normal": NO}, features=again[0], patient="p"),
        film("b01", {"Mass": NO, "Normal": YES}, features=again[1], patient="q"),
        film("b02", {"Mass": "unknown"}, features=again[2], patient="p"),
        film("c00", {"Mass": NO}, features=[value * 1.02 for value in apart[3]]),
        film("c01", {"Mass": NO}, features=[value * 1.02 for value in apart[4]], patient="s", center="South"),
    ]
    found = rules(tmp_path, films)["near-duplicate"]
    assert {issue.cases: issue.finding for issue in found.issues} == {
        ("a00", "b00"): "Mass",
        ("a01", "b01"): None,
        ("a03", "c00"): "Mass",
        ("a04", "c01"): "Mass",
    }
    words = {issue.cases[0]: issue.reason for issue in found.issues}
    wording(line_with(words["a00"], "Mass"))
    assert "of different patients" in words["a01"]
    assert "unknown patients" in words["a03"] and "of two centers" in words["a04"]


def test_too_many_films_are_not_compared_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wording: Wording
) -> None:
    monkeypatch.setattr(module, "MAX_COMPARED_FILMS", 3)
    films = [film(f"{place}", {"Mass": YES}, features=vector) for place, vector in enumerate(vectors(4))]
    found = rules(tmp_path, films)["near-duplicate"]
    assert found.total == 0
    wording(line_with(found.explains, "4 films"))


def confident(seed: int = 0, **options: object) -> list[Film]:
    """A hundred films with the finding and a hundred without, well apart but for two."""
    dice = np.random.default_rng(seed)
    scores = {YES: 0.6 + 0.3 * dice.random(100), NO: 0.1 + 0.3 * dice.random(100)}
    scores[YES][0], scores[NO][0] = 0.01, 0.99
    return [
        Film(
            f"{label} {number:03}",
            {"Cardiomegaly": label},
            {"Cardiomegaly": float(score), "Nodule": float(dice.random())},
            **options,
        )  # type: ignore[arg-type]
        for label in scores
        for number, score in enumerate(scores[label])
    ]


def test_a_confident_model_against_the_label(tmp_path: Path, wording: Wording) -> None:
    found = rules(tmp_path, confident())["confident"]
    assert [issue.cases for issue in found.issues] == [("absent 000",), ("present 000",)]
    wording(found.issues[0].reason, "Cardiomegaly", "0.99", "100 films")
    assert dict(found.excluded) == {"Nodule": "n+ 0, fewer than 20"}


def test_a_margin_is_not_called_a_score(tmp_path: Path, wording: Wording) -> None:
    folder = write_small(tmp_path, confident(), {"Cardiomegaly": 0.5})
    made = read_model_manifest(folder.model(MODEL))
    write_manifest(folder.model(MODEL), replace(made, unit="margin", scale=50.0))
    found = {each.rule: each for each in label_issues(store_of(folder), SMALL)}["confident"]
    wording(found.issues[0].reason, "+0.9900")


def test_rare_findings_are_looked_at_like_the_others(tmp_path: Path) -> None:
    films = [
        Film(each.case, {"Mass": each.labels["Cardiomegaly"]}, {"Mass": each.scores["Cardiomegaly"]})
        for each in confident()
    ]
    found = rules(tmp_path, films)["confident"]
    assert found.total == 2 and found.excluded == ()
    assert found.looked_at == (CheckedFinding("Mass", 100, 100, 2),)


@pytest.mark.parametrize(
    ("positives", "negatives", "why"),
    [(20, 20, None), (19, 50, "n+ 19, fewer than 20"), (50, 19, "n\u2212 19, fewer than 20")],
)
def test_a_finding_is_left_out_for_too_few_films_alone(
    tmp_path: Path, positives: int, negatives: int, why: str | None
) -> None:
    films = [
        Film(f"{number}", {"Azygos Lobe": YES if number < positives else NO}, {"Azygos Lobe": 0.5})
        for number in range(positives + negatives)
    ]
    found = rules(tmp_path, films)["confident"]
    assert found.excluded == (() if why is None else (("Azygos Lobe", why),))
    assert [each.positives for each in found.looked_at] == ([] if why else [positives])


def test_the_strongest_of_each_finding_come_first(tmp_path: Path) -> None:
    """A finding of many issues does not crowd out the others."""
    films = [
        Film(
            f"{number:03}",
            {"Cardiomegaly": YES if number < 40 else NO, "Mass": YES if number < 40 else NO},
            {"Cardiomegaly": 0.3 if number < 40 else 0.8 + number / 1000, "Mass": 0.999 if number == 50 else 0.6},
        )
        for number in range(100)
    ]
    films[41] = replace(films[41], scores={**films[41].scores, "Mass": 0.7})
    found = rules(tmp_path, films)["confident"]
    assert {each.finding: each.issues for each in found.looked_at} == {"Cardiomegaly": 100, "Mass": 2}
    assert [issue.finding for issue in found.issues[:5]] == [
        "Mass",
        "Cardiomegaly",
        "Cardiomegaly",
        "Mass",
        "Cardiomegaly",
    ]
    assert (found.issues[0].cases, found.issues[3].cases) == (("050",), ("041",))


@pytest.mark.parametrize("origin", ["internal", "external"])
def test_films_that_the_model_was_not_fitted_on_are_looked_at(tmp_path: Path, origin: Origin) -> None:
    folder = write_small(tmp_path, confident(), {"Cardiomegaly": 0.5})
    made = read_model_manifest(folder.model(MODEL))
    write_manifest(folder.model(MODEL), replace(made, origins={"North": origin}))
    found = {each.rule: each for each in label_issues(store_of(folder), SMALL)}["confident"]
    assert found.total == 2 and "left out" not in found.explains


@pytest.mark.slow
def test_the_tail_of_the_phantom_s_test_films_is_looked_at() -> None:
    found = {each.rule: each for each in label_issues(loaded_store(), Slice("phantom", "phantom"))}["confident"]
    assert len(found.looked_at) == 30 and found.excluded == ()
    assert min(each.positives for each in found.looked_at) > 30
    assert sum(each.issues for each in found.looked_at) == found.total
    assert "left out" not in found.explains


def test_a_model_that_was_trained_on_the_labels_is_no_witness(tmp_path: Path, wording: Wording) -> None:
    found = rules(tmp_path, confident(), in_sample=["North"])["confident"]
    assert found.total == 0
    wording(line_with(found.explains, "North"))


def test_what_is_found_of_the_shipped_cohort() -> None:
    """NIH's labels are of one source and without contradictions; its only copy has the label of its original."""
    found = {each.rule: each for each in label_issues(loaded_store(), Slice("nih-oof", "nih-mini"), limit=5)}
    assert found["contradiction"].total == found["near-duplicate"].total == 0
    assert found["confident"].total > len(found["confident"].issues) == 5
    assert found["confident"].excluded == (("Hernia", "n+ 12, fewer than 20"),)
    assert {"Mass", "Pneumothorax", "Emphysema"} <= {each.finding for each in found["confident"].looked_at}
