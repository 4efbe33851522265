"""Label issues of labels that are read from reports: what they leave out, and where report and label disagree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.label_issues.out_of_fold import out_of_fold
from explorer.analysis.label_issues.rules import RuleIssues, label_issues
from explorer.cohorts.manifest import read_manifest, write_manifest
from explorer.simulator.cohort_sampling import MISSED_SHARE
from explorer.store.results import Column
from explorer.store.slices import Slice
from tests.support.lasting_store import loaded_store
from tests.support.small_cohort import MODEL, NAME, Film, store_of, write_small

YES, NO = "present", "absent"
REPORT = "reports (English rules)"
SIMULATED = f"a simulated report: {MISSED_SHARE:.0%} of the findings are missed"


def films(left_out: int, **options: object) -> list[Film]:
    """100 films with a mass and 100 without, far apart; `left_out` of those with it are labeled absent."""
    labels = [NO if number < left_out else YES for number in range(100)] + [NO] * 100
    return [
        Film(f"{number:03}", {"Mass": label}, {"Mass": 0.9 - number / 1000 if number < 100 else 0.1}, **options)  # type: ignore[arg-type]
        for number, label in enumerate(labels)
    ]


def rules(place: Path, made: list[Film], asked: Slice, default: str | None = None) -> dict[str, RuleIssues]:
    folder = write_small(place, made, {"Mass": 0.5})
    if default is not None:
        write_manifest(folder.manifest, replace(read_manifest(folder.manifest), default_source=default))
    return {each.rule: each for each in label_issues(store_of(folder), asked)}


def test_what_most_films_with_such_a_score_have_may_be_missing(tmp_path: Path) -> None:
    found = rules(tmp_path, films(5), Slice(NAME, MODEL))["missing"]
    assert sorted(each.cases for each in found.issues) == [(f"{number:03}",) for number in range(5)]
    assert "report" not in rules(tmp_path, films(5), Slice(NAME, MODEL)) and found.checked == ""


def test_labels_present_are_not_doubted_for_a_low_score(tmp_path: Path) -> None:
    made = films(0)
    made[0] = replace(made[0], scores={"Mass": 0.05})
    assert rules(tmp_path, made, Slice(NAME, MODEL))["missing"].total == 0


def test_a_film_s_own_patient_is_no_evidence() -> None:
    """One patient has all the high scores labeled present: without them, nothing speaks for a mass."""
    n = 200
    label = np.r_[np.zeros(100), np.ones(20), np.zeros(80)]
    score = np.r_[np.linspace(0.1, 0.2, 100), np.linspace(0.8, 0.9, 20), np.linspace(0.1, 0.2, 80)]
    patient = np.array([f"p{each}" for each in range(n)], dtype=object)
    arrays = (
        np.arange(n, dtype=np.int32),
        label,
        score.astype(np.float32),
        np.full(n, 0.5),
        np.full(n, "North", object),
    )
    apart = out_of_fold(Column(*arrays, patient, np.ones(n)), np.ones(n, dtype=bool))
    assert apart[100:120] == pytest.approx(1.0, abs=0.05) and apart[:100].max() < 0.1
    patient[100:120] = "one"
    together = out_of_fold(Column(*arrays, patient, np.ones(n)), np.ones(n, dtype=bool))
    assert np.isnan(together[100:120]).all(), "the other patients have no film labeled present"


def test_report_and_label_disagree_where_the_report_says_the_opposite(tmp_path: Path) -> None:
    made = films(3)
    made[0] = replace(made[0], others={REPORT: {"Mass": YES}})  # the model sides with the report
    made[50] = replace(made[50], others={REPORT: {"Mass": NO}})  # the model sides with the label
    made[60] = replace(made[60], others={REPORT: {"Mass": YES}})
    made[150] = replace(made[150], others={REPORT: {"Mass": "uncertain"}})
    source = default_source_of(tmp_path / "name", made)
    found = rules(tmp_path, made, Slice(NAME, MODEL), default=source)["report"]
    assert [each.cases for each in found.issues] == [("000",), ("050",)]
    assert "labeled absent, but the report says present" in found.issues[0].reason
    assert "report" not in rules(tmp_path / "own", made, Slice(NAME, MODEL, label_source=REPORT), default=REPORT)


def default_source_of(place: Path, made: list[Film]) -> str:
    store = store_of(write_small(place, made, {"Mass": 0.5}))
    return next(name for name in store.facets(NAME, MODEL).label_sources if name != REPORT)


@pytest.mark.slow
def test_of_the_first_hundred_doubted_labels_of_simulated_reports_most_are_wrong() -> None:
    """The reports leave out a tenth of the findings, drawn without sight of any score."""
    store = loaded_store()
    found = {each.rule: each for each in label_issues(store, Slice("phantom", "phantom", label_source=SIMULATED))}
    issues = found["missing"].issues
    exact, names = store.labels("phantom", store.default_source("phantom")), list(store.patients("phantom"))
    wrong = sum(
        exact.labels[names.index(each.cases[0]), exact.findings.index(str(each.finding))] == 1 for each in issues
    )
    assert len(issues) == 60 and wrong >= 40
    hits = int(found["missing"].checked.partition(" are wrong")[0].rpartition(" ")[2])
    assert 65 <= hits <= 100 and "of the first 100" in found["missing"].checked
