"""A team's system from its recipe file to the panel Recipes, beside the figure that its paper prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, HOME_VARIABLE, Folder, cohort_folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.scoring.run import scores_folder
from explorer.simulator.cohort_sampling import SEEN_FINDINGS, TEST_SPLIT, sample_cases
from explorer.store.store import Store
from explorer.ui.evaluate.calls import calls
from explorer.ui.evaluate.panels.recipes import printed_team
from explorer.ui.shared.links import model_id
from explorer.ui.shared.services import Services
from explorer.workshop.lab import run as lab
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.publish import publish_training
from explorer.workshop.lab.run import train_recipe
from models.training.films import TrainingFilms
from models.training.lab_recipe import RECIPES_FOLDER, LabRecipe, lab_recipe
from tests.support.few_films import SIZE, few_films


def test_a_teams_figures_stand_beside_its_system_and_beside_its_parts_only_without_it() -> None:
    part = read_model_manifest(Folder(CACHE / "phantom").model("lab-class-aware-0")).training
    assert part is not None and part.team.startswith("2026 Task 1 A") and not part.system
    whole = replace(part, recipe="2026-task1-a", team="2026 Task 1 A", system="2026-task1-a")
    assert printed_team(part, [part, None]) == "A"
    assert printed_team(whole, [part, whole]) == "A" and printed_team(part, [part, whole]) is None
    assert printed_team(replace(part, team="2026 Task 1 D"), [whole]) == "D"
    assert printed_team(replace(part, team=""), [whole]) is None and printed_team(None, [whole]) is None


def short(name: str, folder: Path = RECIPES_FOLDER) -> LabRecipe:
    recipe = lab_recipe(name, folder)
    return replace(recipe, stages=tuple(replace(stage, size=SIZE, epochs=3, batch=8) for stage in recipe.stages))


def noise(films: int, seed: int, names: Sequence[str]) -> TrainingFilms:
    """Films of noise under the names of cases of the phantom."""
    made = few_films(films, len(SEEN_FINDINGS), seed)
    return replace(made, pixels=made.pixels[:, 4:-4, 4:-4], image_ids=tuple(names))


@pytest.mark.training
def test_2026_a_goes_from_its_recipes_to_evaluate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three epochs on films of noise; its scores stand for cases of the shipped cohort."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    monkeypatch.setattr(lab, "lab_recipe", short)
    monkeypatch.setattr(lab, "TIMED_FILMS", 2)
    names = [case.film.case for case in sample_cases(TEST_SPLIT)[:24]]
    validation, test = noise(20, 1, [f"v{n}" for n in range(20)]), noise(24, 2, names)
    centers = (np.repeat(["A", "B"], films // 2) for films in (40, 20, 24))
    films = LabFilms("phantom", SEEN_FINDINGS, few_films(40, len(SEEN_FINDINGS)), validation, test, *centers)
    for recipe in map(short, ("bce", "2026-task1-a")):
        made = train_recipe(tmp_path / "run", recipe, films, 0)
        place, name = cohort_folder("phantom"), f"own-{recipe.name}-0"
        publish_training(place, scores_folder(place, name), name, recipe, made)
    store = Store(lambda: (cohort_folder("phantom"),))
    with closing(IntervalsJob(store, resamples=2)) as job:
        panel = {call.__name__: call for call in calls(Services(store, Images(), None, job))}["panel"]
        words = ".".join(model_id("phantom", f"own-{recipe}-0") for recipe in ("bce", "2026-task1-a"))
        content = json.loads(json.dumps(panel({"state": {"panel": "recipes", "models": words}})))["content"]
    by = {each["name"]: each for each in content["recipes"]}
    assert set(by) == {"bce", "2026-task1-a"} and by["2026-task1-a"]["system"] and not by["bce"]["system"]
    assert by["2026-task1-a"]["printed"][0]["value"] == 0.585 and by["bce"]["printed"] is None
    assert by["2026-task1-a"]["figures"][0]["ahead"]["value"] is not None
