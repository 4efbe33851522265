"""Recipes against plain loops over the board's own samples, and calls counted film by film."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.analysis.comparisons.recipes import (
    RecipeModels,
    baseline_index,
    called_on_normal,
    recipe_figures,
    recipes_of,
)
from explorer.analysis.leaderboard.joint_scores import JointScores, joint_scores
from explorer.analysis.leaderboard.means import Board, board_of, slice_groups
from explorer.cohorts.manifest import Training, read_model_manifest, write_manifest
from explorer.metrics.bootstrap import LEVEL
from explorer.store.slices import Slice
from explorer.store.store import Store
from tests.support.several_models import MODELS, SeveralModels, write_several
from tests.support.small_cohort import NAME, store_of

CHOSEN = Slice(NAME, MODELS[0])
BASE = Training("bce", "bce", 0, "nothing", "a paper", "", 60, 20.0, 1000, 3.0)
TRAININGS = {
    "one": BASE,
    "three": replace(BASE, recipe="crt", core_minutes=4.0),
    "two": replace(BASE, seed=1, core_minutes=30.0, milliseconds=2.0),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SeveralModels:
    """The models one and two are seeds of one recipe, three is another."""
    made = write_several(tmp_path_factory.mktemp("several"), 8, 80)
    for model, training in TRAININGS.items():
        path = made.folder.model(model)
        write_manifest(path, replace(read_model_manifest(path), training=training))
    return made


@pytest.fixture(scope="module")
def store(made: SeveralModels) -> Store:
    return store_of(made.folder)


@pytest.fixture(scope="module")
def joint(store: Store) -> JointScores:
    return joint_scores(store, CHOSEN, MODELS)


@pytest.fixture(scope="module")
def board(store: Store, joint: JointScores) -> Board:
    return board_of(joint, slice_groups(store, CHOSEN, MODELS), 40, 2, False)


def test_seeds_of_a_recipe_are_one_row_with_what_they_cost(store: Store, made: SeveralModels) -> None:
    bce, crt = recipes_of(store, NAME, MODELS)
    assert (bce.name, bce.models, bce.core_minutes, bce.milliseconds) == ("bce", (0, 1), 25.0, 2.0)
    assert (crt.name, crt.models, crt.core_minutes) == ("crt", (2,), 4.0)
    assert baseline_index((bce, crt), 2) == 0
    assert baseline_index((crt,), 2) == 0, "without the lab's baseline, the reference's"


def test_models_of_no_recipe_stand_alone(tmp_path: Path) -> None:
    store = store_of(write_several(tmp_path, 8, 20).folder)
    found = recipes_of(store, NAME, MODELS)
    assert [each.name for each in found] == sorted(MODELS)
    assert all(each.training is None and each.core_minutes is None and len(each.models) == 1 for each in found)
    assert found[baseline_index(found, 1)].models == (1,)


@pytest.mark.parametrize("measure", ["AP", "ECE"])
def test_figures_are_means_over_seeds_on_the_same_resamples(store: Store, board: Board, measure: str) -> None:
    recipes = recipes_of(store, NAME, MODELS)
    found = recipe_figures(board, recipes, 0, measure)  # type: ignore[arg-type]
    for part in range(len(board.parts)):
        means = board.means[part, measure]  # type: ignore[index]
        figure, base = found[1, part], found[0, part]
        points = means.point.tolist()
        assert base.value == pytest.approx((points[0] + points[1]) / 2, nan_ok=True) and math.isnan(base.ahead)
        if math.isnan(base.value) or math.isnan(figure.value):
            continue
        assert (base.least, base.most) == (min(points[:2]), max(points[:2]))
        assert figure.ahead == pytest.approx(points[2] - points[0]), "to the baseline of the same seed"
        less = [row[2] - row[0] for row in means.samples.tolist()]
        ends = np.quantile([each for each in less if not math.isnan(each)], LEVEL)
        assert (figure.ahead_low, figure.ahead_high) == pytest.approx(tuple(ends))


def test_calls_on_normal_films_are_those_counted_film_by_film(store: Store, joint: JointScores) -> None:
    recipes = recipes_of(store, NAME, MODELS)
    found = called_on_normal(joint, recipes)
    normal = joint.findings.index("Normal")
    for recipe, said in zip(recipes, found, strict=True):
        counts = []
        for film in range(len(joint.labels)):
            if joint.labels[film, normal] != 1:
                continue
            calls = joint.called[list(recipe.models), film]
            above = [call > 0 for row in calls for k, call in enumerate(row) if k != normal]
            counts.append(sum(above) / len(calls))
        assert said is not None and said.n == len(counts)
        assert said.value == pytest.approx(np.mean(counts)) and said.low <= said.value <= said.high


def test_without_normal_films_or_thresholds_nothing_is_counted(joint: JointScores) -> None:
    recipes = (RecipeModels("a", (0,), (), None, None, None), RecipeModels("b", (1,), (), None, None, None))
    nowhere = joint.of(joint.labels[:, joint.findings.index("Normal")] != 1)
    assert called_on_normal(nowhere, recipes) == (None, None)
    called = joint.called.copy()
    called[0] = -1
    first, second = called_on_normal(replace(joint, called=called), recipes)
    assert first is None and second is not None
