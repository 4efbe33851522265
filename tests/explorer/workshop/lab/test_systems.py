"""Every system of the papers and every policy for uncertain labels, trained on a few small films of noise."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer.simulator.cohort_sampling import SEEN_FINDINGS
from explorer.workshop.lab import run as lab
from explorer.workshop.lab import simulated_tail
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.run import train_recipe
from models.training.films import TrainingFilms
from models.training.lab_recipe import LabRecipe, lab_recipe, recipe_names
from tests.support.few_films import SIZE, few_films

pytestmark = [pytest.mark.training, pytest.mark.slow]
WHOLE = [name for name in recipe_names() if lab_recipe(name).system]


def small(films: TrainingFilms) -> TrainingFilms:
    return replace(films, pixels=films.pixels[:, 4:-4, 4:-4])  # without the margin to turn them in


def lab_films(rare: int = 6) -> LabFilms:
    """Sixty training films of both centers and views, the last finding on `rare` of them, and some labels hedged."""
    training = few_films(60, 4)
    labels, traits = training.labels.copy(), training.traits.copy()
    labels[:, 3] = np.arange(60) % 10 == 0
    labels[10 * rare :, 3] = 0
    traits[:, 0] = np.arange(60) % 2
    uncertain = np.random.default_rng(3).random(labels.shape) < 0.2
    return LabFilms(
        "noise",
        SEEN_FINDINGS[:4],
        replace(training, labels=labels, traits=traits, uncertain=uncertain),
        small(few_films(20, 4, seed=1)),
        small(few_films(30, 4, seed=2)),
        np.repeat(["A", "B"], 30),
        np.repeat(["A", "B"], 10),
        np.repeat(["A", "B"], 15),
    )


def short(name: str, *_: object) -> LabRecipe:
    recipe = lab_recipe(name)
    stages = tuple(
        replace(stage, size=max(SIZE * stage.size // 160, 32), epochs=max(recipe.checkpoints, 2), batch=8)
        for stage in recipe.stages
    )
    return replace(recipe, stages=stages)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all, so that what several systems build on is trained once."""
    return tmp_path_factory.mktemp("systems")


@pytest.fixture(autouse=True)
def short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "lab_recipe", short)
    monkeypatch.setattr(lab, "TIMED_FILMS", 2)
    monkeypatch.setattr(simulated_tail, "TRAINING_SIZE", 96)  # small films: how they look is no matter
    monkeypatch.setattr(simulated_tail, "TAIL_SHARE", 0.15)


@pytest.mark.parametrize("name", WHOLE)
def test_a_system_trains_from_its_parts_to_its_scores(run: Path, name: str) -> None:
    films = lab_films(1) if name == "2023-t3" else lab_films()  # T3's tail is below 2 %
    found = train_recipe(run, short(name), films, 0)
    assert found.test.logits.shape == (30, 4) and np.isfinite(found.test.logits).all()
    assert found.test.logits.std(0).max() > 0, "films differ"
    assert found.cost.parameters > 1_000_000
