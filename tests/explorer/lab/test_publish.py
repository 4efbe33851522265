"""A trained recipe is a model of the shipped cohort like any other, kept apart from what ships."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from explorer.cohorts.layout import CACHE, Folder, NoCohort, folder
from explorer.lab.films import LabFilms
from explorer.lab.publish import publish
from explorer.lab.run import FINAL, Trained, folder_of
from explorer.phantom.cohort_sampling import SEEN
from explorer.store.slices import Slice
from explorer.store.store import Store
from models.training.lab_recipe import lab_recipe
from tests.support.few_films import few_films

CASES = tuple(pd.read_parquet(CACHE / "phantom" / "cases.parquet").case[:40])
RECIPE = lab_recipe("crt")
FINDINGS = SEEN[:4]
NOISE = np.random.default_rng(0)


def lab_films(cases: tuple[str, ...]) -> LabFilms:
    centers = np.repeat(["A", "B"], 20)
    return LabFilms(FINDINGS, few_films(8, 4), few_films(30, 4, 1), few_films(40, 4, 2), cases, centers)


MADE = Trained(NOISE.normal(size=(30, 4)), NOISE.normal(size=(40, 4)).astype(np.float32), (0.5,), 1, 1.0, 1)


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The shipped one, as a machine sees it that has added nothing yet."""
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    (folder_of(tmp_path, "crt", 1)).mkdir()
    (folder_of(tmp_path, "crt", 1) / FINAL).write_bytes(b"weights")
    return folder("phantom")


def test_explore_knows_it_beside_the_shipped_models(cohort: Folder, tmp_path: Path) -> None:
    said = publish(cohort, tmp_path, RECIPE, 1, lab_films(CASES), MADE)
    assert said.model == "lab-crt-1" and said.origins == {"A": "internal", "B": "internal"}
    assert set(cohort.models()) == {"phantom", "phantom-vlm", "lab-crt-1"}
    assert not (cohort.path / "models" / "lab-crt-1.json").exists(), "nothing goes into the shipped folder"
    store = Store()
    column = store.column(Slice("phantom", "lab-crt-1"), FINDINGS[1])
    cases = sorted(pd.read_parquet(cohort.cases).case)
    by_case = dict(zip(CASES, expit(MADE.test[:, 1]), strict=True))
    assert {cases[number]: score for number, score in zip(column.case, column.score, strict=True)} == pytest.approx(
        by_case
    )
    assert not np.isnan(column.threshold).any()


def test_a_later_training_takes_its_place(cohort: Folder, tmp_path: Path) -> None:
    first = publish(cohort, tmp_path, RECIPE, 1, lab_films(CASES), MADE)
    (folder_of(tmp_path, "crt", 1) / FINAL).write_bytes(b"other weights")
    again = publish(cohort, tmp_path, RECIPE, 1, lab_films(CASES), MADE)
    assert again.sha256 != first.sha256 and Store().count(Slice("phantom", "lab-crt-1")).films == 40


def test_films_of_another_cohort_are_refused(cohort: Folder, tmp_path: Path) -> None:
    with pytest.raises(NoCohort, match="does not have the films"):
        publish(cohort, tmp_path, RECIPE, 1, lab_films(("other", *CASES[1:])), MADE)
    assert "lab-crt-1" not in cohort.models()
