"""A trained recipe is a model of the shipped cohort like any other, kept apart from what ships."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from explorer.cohorts.layout import CACHE, Folder, NoCohort, cohort_folder
from explorer.cohorts.manifest import ModelManifest
from explorer.scoring.run import scores_folder
from explorer.simulator.cohort_sampling import SEEN_FINDINGS
from explorer.store.slices import Slice
from explorer.store.store import Store
from explorer.workshop.lab.publish import publish_training
from explorer.workshop.lab.run import finished_trainings, training_folder
from explorer.workshop.lab.trained import TrainedRecipe
from explorer.workshop.shipping.ship import ship_trainings, shipped_name
from models.training.lab_recipe import LabRecipe, lab_recipe
from tests.support.few_films import few_films
from tests.support.few_trained import few_trained
from tests.support.wording import Wording

CASES = tuple(pd.read_parquet(CACHE / "phantom" / "cases.parquet").case[:40])
RECIPE = lab_recipe("crt")
FINDINGS = SEEN_FINDINGS[:4]
NOISE = np.random.default_rng(0)


LABELS = few_films(40, 4, 2).labels
LOGITS = NOISE.normal(size=(40, 4)).astype(np.float32)


@pytest.fixture
def cohort(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Folder:
    """The shipped one, as a machine sees it that has added nothing yet."""
    monkeypatch.setenv("TAILSCOPE_HOME", str(tmp_path / "home"))
    return cohort_folder("phantom")


def published(cohort: Folder, trained: TrainedRecipe, recipe: LabRecipe = RECIPE) -> ModelManifest:
    name = shipped_name(trained)
    return publish_training(cohort, scores_folder(cohort, name), name, recipe, trained)


def test_explore_knows_it_beside_the_shipped_models(cohort: Folder) -> None:
    shipped = set(cohort.models())
    said = published(cohort, few_trained("crt", 9, FINDINGS, LABELS, LOGITS, CASES))
    assert said.model == "lab-crt-9" and said.origins == {"A": "internal", "B": "internal"}
    assert set(cohort.models()) - shipped == {"lab-crt-9"}
    assert not (cohort.path / "models" / "lab-crt-9.json").exists(), "nothing goes into the shipped folder"
    store = Store()
    column = store.column(Slice("phantom", "lab-crt-9"), FINDINGS[1])
    cases = sorted(pd.read_parquet(cohort.cases).case)
    by_case = dict(zip(CASES, expit(LOGITS[:, 1]), strict=True))
    assert {cases[number]: score for number, score in zip(column.case, column.score, strict=True)} == pytest.approx(
        by_case
    )
    assert not np.isnan(column.threshold).any()


def test_a_later_training_takes_its_place(cohort: Folder) -> None:
    one = few_trained("crt", 9, FINDINGS, LABELS, LOGITS, CASES)
    first = published(cohort, one)
    again = published(cohort, replace(one, sha256="1" * 64))
    assert again.sha256 != first.sha256 and Store().count(Slice("phantom", "lab-crt-9")).films == 40


def test_a_center_that_it_was_not_trained_on_is_external(cohort: Folder, wording: Wording) -> None:
    one = replace(few_trained("center-a", 9, FINDINGS, LABELS, LOGITS, CASES), centers=("A",))
    said = published(cohort, one, lab_recipe("center-a"))
    assert said.origins == {"A": "internal", "B": "external"}
    wording(said.split, "8 films")
    wording(said.thresholds, "Youden")


def test_films_of_another_cohort_are_refused(cohort: Folder, wording: Wording) -> None:
    with pytest.raises(NoCohort) as caught:
        published(cohort, few_trained("crt", 9, FINDINGS, LABELS, LOGITS, ("other", *CASES[1:])))
    wording(caught.value, "films")
    assert "lab-crt-9" not in cohort.models()


def test_a_run_ships_as_models_of_the_cohort_and_can_be_compared(tmp_path: Path) -> None:
    cohort = Folder(tmp_path / "phantom")
    cohort.path.mkdir()
    shutil.copyfile(CACHE / "phantom" / "cases.parquet", cohort.cases)
    for recipe in ("bce", "crt"):
        place = training_folder(tmp_path / "run", recipe, 0)
        place.mkdir(parents=True)
        few_trained(recipe, 0, FINDINGS, LABELS, LOGITS, CASES).write(place)
    ship_trainings(tmp_path / "run", cohort, tmp_path / "kept")
    assert cohort.models() == ("lab-bce-0", "lab-crt-0")
    kept = finished_trainings(tmp_path / "kept")
    assert list(kept) == ["bce", "crt"] and np.array_equal(kept["crt"][0].test.logits, LOGITS)
