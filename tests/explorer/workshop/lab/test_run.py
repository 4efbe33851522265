"""Recipes from films to a comparison, on a few small films of noise."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from explorer.simulator.cohort_sampling import SEEN_FINDINGS
from explorer.workshop.lab import run as lab
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.run import finished_trainings, mean_ap, train_recipe, training_folder
from explorer.workshop.lab.trained import TrainedRecipe, read_trained
from models.training.films import TrainingFilms
from models.training.lab_recipe import LabRecipe, WrongRecipe, lab_recipe
from tests.support.few_films import SIZE, few_films
from tests.support.wording import Wording

pytestmark = pytest.mark.training
FINDINGS = SEEN_FINDINGS[:4]


def small(films: TrainingFilms) -> TrainingFilms:
    return replace(films, pixels=films.pixels[:, 4:-4, 4:-4])  # without the margin to turn them in


FILMS = LabFilms(
    "noise",
    FINDINGS,
    few_films(16, 4),
    small(few_films(20, 4, seed=1)),
    small(few_films(30, 4, seed=2)),
    np.repeat(["A", "B"], 8),
    np.repeat(["A", "B"], 10),
    np.repeat(["A", "B"], 15),
)


def short(name: str, epochs: int = 2) -> LabRecipe:
    recipe = lab_recipe(name)
    return replace(recipe, stages=tuple(replace(stage, size=SIZE, epochs=epochs, batch=8) for stage in recipe.stages))


@pytest.fixture(autouse=True)
def short_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a recipe goes on from is short, too, and so is the batch whose scoring is timed."""
    monkeypatch.setattr(lab, "lab_recipe", short)
    monkeypatch.setattr(lab, "TIMED_FILMS", 2)


@pytest.fixture
def one_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each stage, where which films are seen is the question."""
    monkeypatch.setattr(lab, "lab_recipe", partial(short, epochs=1))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TrainedRecipe]:
    """A folder with a training of the baseline, and what the training gave."""
    run = tmp_path_factory.mktemp("baseline")
    return run, train_recipe(run, short("bce"), FILMS, 0)


@pytest.fixture
def baseline(made: tuple[Path, TrainedRecipe]) -> Path:
    return made[0]


def test_a_recipe_goes_on_from_another_and_both_are_kept(tmp_path: Path) -> None:
    found = train_recipe(tmp_path, short("crt"), FILMS, 1)
    assert found.validation.logits.shape == (20, 4) and found.test.logits.shape == (30, 4)
    assert len(found.curve) == 2 and found.epoch == int(np.argmax(found.curve)) + 1
    assert max(found.curve) == pytest.approx(mean_ap(FILMS.validation, found.validation.logits))
    kept = finished_trainings(tmp_path)
    assert list(kept) == ["bce", "crt"], "the baseline first"
    assert not np.array_equal(kept["bce"][0].test.logits, found.test.logits)
    assert not list(tmp_path.rglob("epoch-*")) and not list(tmp_path.rglob("kept.pt")), "only what is needed stays"


def test_what_is_trained_is_not_trained_again(baseline: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_trained(training_folder(baseline, "bce", 0))

    def never(*_: object, **__: object) -> None:
        raise AssertionError("trained again")

    monkeypatch.setattr(lab, "fit_network", never)
    assert np.array_equal(train_recipe(baseline, short("bce"), FILMS, 0).test.logits, first.test.logits)


def test_a_broken_run_goes_on_in_its_stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = train_recipe(tmp_path / "whole", short("ldam"), FILMS, 0)
    predict, calls = lab.predict, [0]

    def ends(*told: object) -> object:
        calls[0] += 1
        if calls[0] == 3:  # in the second stage
            raise KeyboardInterrupt
        return predict(*told)  # type: ignore[arg-type]

    monkeypatch.setattr(lab, "predict", ends)
    with pytest.raises(KeyboardInterrupt):
        train_recipe(tmp_path / "broken", short("ldam"), FILMS, 0)
    monkeypatch.setattr(lab, "predict", predict)
    again = train_recipe(tmp_path / "broken", short("ldam"), FILMS, 0)
    assert np.array_equal(again.test.logits, whole.test.logits) and again.curve == whole.curve
    assert training_folder(tmp_path / "broken", "ldam", 0).name == "ldam-0"


def test_without_the_baseline_there_is_nothing_to_compare_with(tmp_path: Path, wording: Wording) -> None:
    with pytest.raises(WrongRecipe) as caught:
        finished_trainings(tmp_path)
    wording(caught.value, "baseline")


def test_networks_that_are_trained_answer_together_and_what_is_missing_is_trained(
    tmp_path: Path, one_epoch: None
) -> None:
    traits = FILMS.training.traits.copy()
    traits[:, 0] = np.tile([1, 0], 8)
    films = replace(FILMS, training=replace(FILMS.training, traits=traits))
    found = train_recipe(tmp_path, short("router", 1), films, 0)
    kept = finished_trainings(tmp_path)
    assert list(kept) == ["bce", "router"], "the branches are compared with nothing"
    (bce,) = kept["bce"]
    branches = [read_trained(training_folder(tmp_path, name, 0)) for name in ("router-pa", "router-ap")]
    assert branches[0].films == branches[1].films == 8 and bce.films == found.films == 16
    assert found.cost.seconds == pytest.approx(sum(each.cost.seconds for each in branches))
    assert found.cost.parameters == bce.cost.parameters + sum(each.cost.parameters for each in branches)
    low, high = np.sort([each.test.logits for each in branches], axis=0)
    assert (found.test.logits >= low - 1e-5).all() and (found.test.logits <= high + 1e-5).all()


def test_one_network_is_told_of_normal_alone_and_the_other_sees_no_normal_film(tmp_path: Path, one_epoch: None) -> None:
    found = train_recipe(tmp_path, short("two-stage", 1), FILMS, 0)
    normal, rest = (read_trained(training_folder(tmp_path, f"two-stage-{name}", 0)) for name in ("normal", "abnormal"))
    assert normal.films == 16 and rest.films == int((FILMS.training.labels[:, 0] == 0).sum())
    assert np.array_equal(found.test.logits[:, 0], normal.test.logits[:, 0])
    assert (found.test.logits[:, 1:] < rest.test.logits[:, 1:]).all(), "the first gates what the second says"
    dark = FILMS.training.pixels.copy()
    dark[FILMS.training.labels[:, 0] == 1] = 0
    other = replace(FILMS, training=replace(FILMS.training, pixels=dark))
    again = train_recipe(tmp_path / "again", short("two-stage-abnormal", 1), other, 0)
    assert np.array_equal(again.test.logits, rest.test.logits)


def test_a_recipe_of_one_center_sees_no_film_of_the_other(tmp_path: Path, one_epoch: None) -> None:
    found = train_recipe(tmp_path, short("center-a", 1), FILMS, 0)
    assert found.films == 8 and found.centers == ("A",)
    dark = FILMS.training.pixels.copy()
    dark[8:] = 0
    other = replace(FILMS, training=replace(FILMS.training, pixels=dark))
    again = train_recipe(tmp_path / "again", short("center-a", 1), other, 0)
    assert np.array_equal(again.test.logits, found.test.logits)


def test_what_is_kept_of_a_training_reads_back_as_it_was(made: tuple[Path, TrainedRecipe]) -> None:
    run, found = made
    again = read_trained(training_folder(run, "bce", 0))
    assert again.cost == found.cost and again.curve == found.curve and again.findings == FINDINGS
    assert 0 < found.cost.seconds and 0 < found.cost.milliseconds and found.cost.parameters > 1_000_000
    assert np.array_equal(again.validation.labels, FILMS.validation.labels)
    assert again.test.cases.tolist() == list(FILMS.test.image_ids)


def test_a_folder_of_trainings_on_other_films_is_refused(baseline: Path, wording: Wording) -> None:
    with pytest.raises(WrongRecipe) as caught:
        train_recipe(baseline, short("bce"), replace(FILMS, cohort="another"), 0)
    wording(str(caught.value).removeprefix(baseline.name), "bce")
