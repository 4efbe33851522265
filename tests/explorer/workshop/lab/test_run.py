"""Recipes from films to a comparison, on a few small films of noise."""

from __future__ import annotations

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from explorer.simulator.cohort_sampling import SEEN_FINDINGS
from explorer.workshop.lab import run as lab
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.run import finished_trainings, mean_ap, train_recipe, training_folder, weights_file
from explorer.workshop.lab.trained import SHIPPED_RUNS, TrainedRecipe, read_trained
from models.training.films import TrainingFilms
from models.training.lab_recipe import RECIPES_FOLDER, LabRecipe, WrongRecipe, lab_recipe, recipe_named
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


def short(name: str, folder: Path = RECIPES_FOLDER, epochs: int = 2) -> LabRecipe:
    recipe = lab_recipe(name, folder)
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


def test_a_run_on_the_same_films_is_compared_with_the_shipped_baseline(tmp_path: Path) -> None:
    shutil.copytree(SHIPPED_RUNS / "turns-0", tmp_path / "turns-0")
    kept = finished_trainings(tmp_path)
    assert list(kept) == ["bce", "turns"] and [made.seed for made in kept["bce"]] == [0, 1]


def test_networks_that_are_trained_answer_together_and_what_is_missing_is_trained(
    tmp_path: Path, one_epoch: None
) -> None:
    traits = FILMS.training.traits.copy()
    traits[:, 0] = np.tile([1, 0], 8)
    films = replace(FILMS, training=replace(FILMS.training, traits=traits))
    found = train_recipe(tmp_path, short("router", epochs=1), films, 0)
    kept = finished_trainings(tmp_path)
    assert list(kept) == ["bce", "router"], "the branches are compared with nothing"
    (bce,) = kept["bce"]
    branches = [read_trained(training_folder(tmp_path, name, 0)) for name in ("router-pa", "router-ap")]
    assert branches[0].films == branches[1].films == 8 and bce.films == found.films == 16
    assert found.cost.seconds == pytest.approx(sum(each.cost.seconds for each in branches))
    assert found.cost.parameters == bce.cost.parameters + sum(each.cost.parameters for each in branches)
    low, high = np.sort([each.test.logits for each in branches], axis=0)
    assert (found.test.logits >= low - 1e-5).all() and (found.test.logits <= high + 1e-5).all()


def test_the_best_epochs_of_one_training_answer_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lab, "lab_recipe", partial(short, epochs=3))
    found = train_recipe(tmp_path, short("2026-task1-a", epochs=3), FILMS, 0)
    network = read_trained(training_folder(tmp_path, "2026-task1-a-network", 0))
    files = [weights_file(tmp_path, "2026-task1-a-network", 0, each) for each in (1, 2, 3)]
    assert all(file.exists() for file in files) and len({file.read_bytes() for file in files}) == 3
    assert len(network.curve) == 3 and network.curve[network.epoch - 1] == max(network.curve)
    assert found.cost.parameters == 3 * network.cost.parameters and found.cost.seconds == network.cost.seconds
    assert np.isfinite(found.test.logits).all() and not np.allclose(found.test.logits, network.test.logits)


def test_what_a_recipe_does_not_keep_cannot_answer(tmp_path: Path) -> None:
    with pytest.raises(WrongRecipe, match="kept no checkpoint 3"):
        train_recipe(tmp_path, short("2026-task1-a", epochs=2), FILMS, 0)


MINE = """
size = 64
epochs = 1
batch = 8

[[stages]]
loss = { name = "focal" }
"""


def test_a_recipe_file_of_ones_own_is_trained_and_compared_and_not_changed_below_its_results(tmp_path: Path) -> None:
    file, run = tmp_path / "mine.toml", tmp_path / "run"
    file.write_text(MINE)
    train_recipe(run, short("bce", epochs=1), FILMS, 0)
    made = train_recipe(run, recipe_named(str(file)), FILMS, 0)
    assert made.recipe == "mine" and list(finished_trainings(run)) == ["bce", "mine"]
    (tmp_path / "joined.toml").write_text('of = ["bce", "mine"]\ninference = { name = "mean" }\n')
    joined = train_recipe(run, recipe_named(str(tmp_path / "joined.toml")), FILMS, 0)
    assert list(finished_trainings(run)) == ["bce", "joined", "mine"]
    mean = (read_trained(training_folder(run, "bce", 0)).test.logits + made.test.logits) / 2
    np.testing.assert_allclose(joined.test.logits, mean, atol=1e-4)
    (tmp_path / "other.toml").write_text('after = "mine"\narchitecture = "resnet18"\n' + MINE)
    with pytest.raises(WrongRecipe) as refused:
        train_recipe(run, recipe_named(str(tmp_path / "other.toml")), FILMS, 0)
    assert "whose network is tf_efficientnet_lite0" in refused.value.detail
    (tmp_path / "other.toml").write_text('after = "mine"\n' + MINE)  # nothing was trained, so it may be corrected
    assert train_recipe(run, recipe_named(str(tmp_path / "other.toml")), FILMS, 0).films == 16
    file.write_text(MINE.replace("focal", "asymmetric"))
    with pytest.raises(WrongRecipe, match="mine was changed"):
        train_recipe(run, recipe_named(str(file)), FILMS, 0)


def test_a_network_of_smaller_films_reads_reduced_ones(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(MINE.replace("size = 64", "size = 32"))
    (tmp_path / "grows.toml").write_text(MINE.replace("[[stages]]", "[[stages]]\nsize = 32\n[[stages]]", 1))
    small = train_recipe(tmp_path / "run", recipe_named(str(tmp_path / "small.toml")), FILMS, 0)
    assert small.size == 32 and np.isfinite(small.test.logits).all()
    grows = recipe_named(str(tmp_path / "grows.toml"))
    assert [stage.size for stage in grows.stages] == [32, 64] and grows.size == grows.film_size == 64
    assert np.isfinite(train_recipe(tmp_path / "run", grows, FILMS, 0).test.logits).all()


def test_one_network_is_told_of_normal_alone_and_the_other_sees_no_normal_film(tmp_path: Path, one_epoch: None) -> None:
    found = train_recipe(tmp_path, short("two-stage", epochs=1), FILMS, 0)
    normal, rest = (read_trained(training_folder(tmp_path, f"two-stage-{name}", 0)) for name in ("normal", "abnormal"))
    assert normal.films == 16 and rest.films == int((FILMS.training.labels[:, 0] == 0).sum())
    assert np.array_equal(found.test.logits[:, 0], normal.test.logits[:, 0])
    assert (found.test.logits[:, 1:] < rest.test.logits[:, 1:]).all(), "the first gates what the second says"
    dark = FILMS.training.pixels.copy()
    dark[FILMS.training.labels[:, 0] == 1] = 0
    other = replace(FILMS, training=replace(FILMS.training, pixels=dark))
    again = train_recipe(tmp_path / "again", short("two-stage-abnormal", epochs=1), other, 0)
    assert np.array_equal(again.test.logits, rest.test.logits)


def test_a_recipe_of_one_center_sees_no_film_of_the_other(tmp_path: Path, one_epoch: None) -> None:
    found = train_recipe(tmp_path, short("center-a", epochs=1), FILMS, 0)
    assert found.films == 8 and found.centers == ("A",)
    dark = FILMS.training.pixels.copy()
    dark[8:] = 0
    other = replace(FILMS, training=replace(FILMS.training, pixels=dark))
    again = train_recipe(tmp_path / "again", short("center-a", epochs=1), other, 0)
    assert np.array_equal(again.test.logits, found.test.logits)


def test_exact_labels_are_trained_on_where_they_are_known(tmp_path: Path, one_epoch: None) -> None:
    exact = 1 - FILMS.training.labels
    recipe = short("exact-labels", epochs=1)
    assert np.array_equal(replace(FILMS, exact=exact).told(recipe).labels, exact)
    noted = train_recipe(tmp_path / "noted", short("bce", epochs=1), FILMS, 0)
    other = train_recipe(tmp_path / "exact", recipe, replace(FILMS, exact=exact), 0)
    same = train_recipe(tmp_path / "same", recipe, replace(FILMS, exact=FILMS.training.labels), 0)
    np.testing.assert_allclose(same.test.logits, noted.test.logits, atol=1e-4)
    assert not np.allclose(other.test.logits, noted.test.logits, atol=1e-2)
    with pytest.raises(ValueError, match="Only simulated films have exact labels"):
        FILMS.told(recipe)


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
