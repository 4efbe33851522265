"""The panel Recipes on the shipped cohort: the lab's own comparison, as `lab compare` counts it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from explorer.analysis.intervals.intervals_job import IntervalsJob
from explorer.analysis.leaderboard.joint_scores import comparable_models
from explorer.cohorts.images import Images
from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.manifest import read_model_manifest
from explorer.metrics.metrics import average_precision
from explorer.store.store import Store
from explorer.ui.evaluate.calls import calls
from explorer.ui.shared.links import model_id
from explorer.ui.shared.services import Services
from explorer.workshop.lab.publish import training_facts
from explorer.workshop.lab.run import finished_trainings
from explorer.workshop.lab.trained import SHIPPED_RUNS
from explorer.workshop.shipping.ship import shipped_name
from models.training.lab_recipe import lab_recipe

PHANTOM = Folder(CACHE / "phantom")
RUNS = finished_trainings(SHIPPED_RUNS)


@pytest.fixture(scope="module")
def content() -> Iterator[dict[str, Any]]:
    store = Store(lambda: (PHANTOM,))
    with closing(IntervalsJob(store, resamples=2)) as job:
        panel = {call.__name__: call for call in calls(Services(store, Images(), None, job))}["panel"]
        words = ".".join(model_id("phantom", model) for model in comparable_models(store, "phantom", "phantom"))
        yield json.loads(json.dumps(panel({"state": {"panel": "recipes", "models": words}})))["content"]


def test_every_shipped_model_says_how_it_was_trained() -> None:
    for recipe, seeds in RUNS.items():
        for made in seeds:
            said = read_model_manifest(PHANTOM.model(shipped_name(made)))
            assert said.training == training_facts(lab_recipe(recipe), made)


@pytest.mark.slow
def test_every_recipe_is_there_against_the_baseline_of_the_lab(content: dict[str, Any]) -> None:
    assert content["trained"] and content["baseline"] == "bce"
    assert {each["name"] for each in content["recipes"]} == set(RUNS)
    values = [each["figures"][0]["value"] for each in content["recipes"]]
    assert values == sorted(values, reverse=True)


def test_figures_are_those_of_the_labs_scores(content: dict[str, Any]) -> None:
    by = {each["name"]: each for each in content["recipes"]}
    for recipe in ("bce", "class-aware"):
        made = RUNS[recipe]
        points = [average_precision(each.test.labels, each.test.logits).mean() for each in made]
        assert by[recipe]["figures"][0]["value"] == pytest.approx(sum(points) / len(points), abs=1e-6)
        assert by[recipe]["seeds"] == len(made)
    assert by["bce"]["figures"][0]["ahead"] is None
    assert len(RUNS["bce"]) > 1 == len(RUNS["focal"])  # compared with the baseline's network of the same seed
    (alike,) = (each for each in RUNS["bce"] if each.seed == RUNS["focal"][0].seed)
    less = by["focal"]["figures"][0]["value"] - average_precision(alike.test.labels, alike.test.logits).mean()
    assert by["focal"]["figures"][0]["ahead"]["value"] == pytest.approx(less, abs=1e-6)
    both = by["class-aware"]["figures"][0]["value"] - by["bce"]["figures"][0]["value"]
    assert {each.seed for each in RUNS["class-aware"]} == {each.seed for each in RUNS["bce"]}
    assert by["class-aware"]["figures"][0]["ahead"]["value"] == pytest.approx(both, abs=1e-6)


def test_a_teams_printed_figures_stand_beside_its_recipe(content: dict[str, Any]) -> None:
    by = {each["name"]: each for each in content["recipes"]}
    assert by["2026-task1-a"]["team"] == "2026 Task 1 A" and by["2026-task1-a"]["printed"][0]["value"] == 0.585
    assert by["class-aware"]["team"] == "2026 Task 1 A; 2023 T9" and by["class-aware"]["printed"] is None  # a part
    assert by["ldam"]["printed"][0]["value"] == 0.395  # team E's whole system was not trained
    assert by["bce"]["printed"] is None and content["normal"] > 500
