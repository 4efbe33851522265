"""Trains a recipe with a seed and can resume: every epoch is kept until validation has chosen one."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import nn

from explorer.metrics.metrics import average_precision
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.timing import TIMED_FILMS, milliseconds_per_film
from explorer.workshop.lab.trained import SCORES_FILE, FilmLogits, TrainedRecipe, TrainingCost, read_trained
from models.array_types import Float32
from models.cards.known_file import sha256_of
from models.training.films import TrainingFilms
from models.training.inference.registry import build_inference
from models.training.lab_recipe import BASELINE_RECIPE, LabRecipe, WrongRecipe, lab_recipe, recipe_names
from models.training.network import new_network, predict, restart_head
from models.training.recipe import TrainingRecipe
from models.training.start import imagenet_state
from models.training.trainer import fit_network
from models.whole_file import atomic_write

FINAL_WEIGHTS = "final.safetensors"
log = logging.getLogger(__name__)
Predict = Callable[[NDArray[np.uint8]], Float32]  # logits (n, findings) of letterboxed films (n, s, s)
EpochCurve = list[tuple[float, float]]  # per epoch: mean AP on validation films, and seconds


def training_folder(run: Path, recipe: str, seed: int) -> Path:
    """Return the folder of a recipe's training with a seed."""
    return run / f"{recipe}-{seed}"


def train_recipe(run: Path, recipe: LabRecipe, films: LabFilms, seed: int) -> TrainedRecipe:
    """Train the recipe and any recipe that it continues, unless they are already trained.

    Raises WrongRecipe if part of the recipe does not suit the films, or if the folder contains trainings on other
    films.
    """
    folder = training_folder(run, recipe.name, seed)
    if not (folder / SCORES_FILE).exists():
        try:
            made = _combine_networks(run, recipe, films, seed) if recipe.of else _train(run, recipe, films, seed)
            made.write(folder)
            _delete_epochs(folder)
        except ValueError as error:
            raise WrongRecipe(f"The recipe {recipe.name} does not suit these films", str(error)) from error
    made = read_trained(folder)
    if made.cohort != films.cohort or made.test.cases.tolist() != list(films.test.image_ids):
        raise WrongRecipe(
            f"{run.name} has a training of {recipe.name} on other films", "Give another folder for the run."
        )
    return made


def finished_trainings(run: Path) -> dict[str, list[TrainedRecipe]]:
    """Return the folder's trainings by recipe, all seeds, baseline first; recipes that are part of others are omitted.

    Raises WrongRecipe if the baseline is missing.
    """
    found: dict[str, list[TrainedRecipe]] = {}
    for recipe in (name for name in recipe_names() if lab_recipe(name).part_of is None):
        made = [read_trained(place.parent) for place in run.glob(f"{recipe}-*/{SCORES_FILE}")]
        seeds = sorted((each for each in made if each.recipe == recipe), key=lambda each: each.seed)
        if seeds:
            found[recipe] = seeds
    if BASELINE_RECIPE not in found:
        raise WrongRecipe(
            f"The baseline was not trained in {run.name}",
            f"Run `python -m explorer lab train {BASELINE_RECIPE} --run {run.name}` first.",
        )
    return found


def _train(run: Path, recipe: LabRecipe, films: LabFilms, seed: int) -> TrainedRecipe:
    folder = training_folder(run, recipe.name, seed)
    folder.mkdir(parents=True, exist_ok=True)
    network = _start(run, recipe, films, seed)
    rows, training = films.rows_of(recipe), films.told(recipe)
    seconds = 0.0
    for number, stage in enumerate(recipe.stages, 1):
        place = folder / f"stage-{number}"
        torch.manual_seed(1000 * seed + number)
        if stage.trains == "head":
            restart_head(network, training.prevalence(rows))
        log.info("%s, seed %d, stage %d of %d", recipe.name, seed, number, len(recipe.stages))
        curve = _stage(network, stage, replace(films, training=training), rows, seed, place)
        seconds += sum(took for _, took in curve)
        network.load_state_dict(load_file(place / f"epoch-{_best(curve)}.safetensors"))
    network.eval()
    _save(network, folder / FINAL_WEIGHTS)

    def answer(pixels: NDArray[np.uint8]) -> Float32:
        return predict(network, pixels, len(films.findings))

    weights = sum(each.numel() for each in network.parameters())
    return TrainedRecipe(
        **_results(recipe, films, seed, rows, answer),
        curve=tuple(worth for worth, _ in curve),
        epoch=_best(curve),
        size=recipe.size,
        sha256=sha256_of(folder / FINAL_WEIGHTS),
        cost=TrainingCost(round(seconds, 1), weights, milliseconds_per_film(answer, films.test.pixels[:TIMED_FILMS])),
    )


def _combine_networks(run: Path, recipe: LabRecipe, films: LabFilms, seed: int) -> TrainedRecipe:
    """Combine the networks of other recipes, training them first if needed."""
    assert recipe.inference is not None  # `lab_recipe` ensures it
    training_folder(run, recipe.name, seed).mkdir(parents=True, exist_ok=True)
    members = [train_recipe(run, lab_recipe(name), films, seed) for name in recipe.of]
    networks = [_finished_network(run, lab_recipe(name), films, seed) for name in recipe.of]
    inference = build_inference(recipe.inference.name, recipe.inference.parameters, len(networks))
    rows = films.rows_of(recipe)
    findings = dict(zip(films.findings, films.training.prevalence(rows).tolist(), strict=True))

    def answer(pixels: NDArray[np.uint8]) -> Float32:
        return inference(networks, pixels, findings)

    own = [member.cost.seconds for member in members if lab_recipe(member.recipe).part_of == recipe.name]
    sha256 = hashlib.sha256("\n".join([repr(inference), *(member.sha256 for member in members)]).encode()).hexdigest()
    results = _results(recipe, films, seed, rows, answer)
    took = milliseconds_per_film(answer, films.test.pixels[:TIMED_FILMS])
    return TrainedRecipe(
        **results,
        curve=(mean_ap(films.validation, results["validation"].logits),),
        epoch=1,
        size=members[0].size,
        sha256=sha256,
        cost=TrainingCost(sum(own), sum(each.cost.parameters for each in members), took),
    )


def _finished_network(run: Path, recipe: LabRecipe, films: LabFilms, seed: int) -> nn.Module:
    """Return the trained network of a recipe. Raises WrongRecipe if the recipe has none of its own."""
    if recipe.of:
        raise WrongRecipe(f"{recipe.name} has no network of its own", "Name the recipes that it combines.")
    network = _new_network(recipe, films)
    network.load_state_dict(load_file(training_folder(run, recipe.name, seed) / FINAL_WEIGHTS))
    return network.eval()


def _results(recipe: LabRecipe, films: LabFilms, seed: int, rows: NDArray[np.int64], answer: Predict) -> dict[str, Any]:
    """Return the training films' facts and the other films' logits."""

    def logits(part: TrainingFilms, centers: NDArray[np.str_]) -> FilmLogits:
        return FilmLogits(np.array(part.image_ids), part.patients, centers, part.labels, answer(part.pixels))

    return {
        "cohort": films.cohort,
        "recipe": recipe.name,
        "seed": seed,
        "findings": films.findings,
        "validation": logits(films.validation, films.validation_centers),
        "test": logits(films.test, films.test_centers),
        "films": len(rows),
        "centers": tuple(np.unique(films.training_centers[rows]).tolist()),
    }


def _stage(
    network: nn.Module, stage: TrainingRecipe, films: LabFilms, rows: NDArray[np.int64], seed: int, place: Path
) -> EpochCurve:
    """Train the remaining epochs of a stage, keeping each one; return the curve on validation films."""
    curve = _stored_curve(place)
    wall_start, processor_start = [time.monotonic()], [time.process_time()]

    def keep(epoch: int, average: nn.Module, loss: float) -> None:
        _save(average, place / f"epoch-{epoch}.safetensors")
        worth = mean_ap(films.validation, predict(average, films.validation.pixels, len(films.findings)))
        took, cost = time.monotonic() - wall_start[0], time.process_time() - processor_start[0]
        wall_start[0] += took
        processor_start[0] += cost
        curve[epoch - 1 :] = [(worth, cost)]  # replaces later entries if an interrupted run repeats an epoch
        with atomic_write(place / "curve.json") as partial:
            partial.write_text(json.dumps(curve), encoding="utf-8")
        left = (stage.epochs - epoch) * took / 60
        log.info("epoch %d of %d: loss %.3f, mAP %.3f, %.0f min left", epoch, stage.epochs, loss, worth, left)

    fit_network(network, films.training, rows, stage, seed, keep, checkpoint=place / "kept.pt")
    return curve


def _start(run: Path, recipe: LabRecipe, films: LabFilms, seed: int) -> nn.Module:
    """Return the ImageNet network with the recipe's head, or the network of the recipe that this one continues."""
    torch.manual_seed(seed)
    network = _new_network(recipe, films)
    if recipe.after is not None:
        train_recipe(run, lab_recipe(recipe.after), films, seed)
        network.load_state_dict(load_file(training_folder(run, recipe.after, seed) / FINAL_WEIGHTS))
    return network


def _new_network(recipe: LabRecipe, films: LabFilms) -> nn.Module:
    prevalence = films.told(recipe).prevalence(films.rows_of(recipe))
    return new_network(recipe.stages[0], recipe.head, prevalence, films.training.traits.shape[1], imagenet_state())


def mean_ap(films: TrainingFilms, logits: Float32) -> float:
    """Return the mean average precision over findings with at least one positive film."""
    return float(np.nanmean(average_precision(films.labels, logits)))


def _save(network: nn.Module, target: Path) -> None:
    with atomic_write(target) as partial:
        save_file({name: tensor.contiguous() for name, tensor in network.state_dict().items()}, partial)


def _stored_curve(place: Path) -> EpochCurve:
    curve = place / "curve.json"
    found = json.loads(curve.read_text(encoding="utf-8")) if curve.exists() else []
    return [(worth, took) for worth, took in found]


def _best(curve: EpochCurve) -> int:
    return int(np.nanargmax([worth for worth, _ in curve])) + 1


def _delete_epochs(folder: Path) -> None:
    """Delete the epochs and checkpoints of a finished training, each of which takes a tenth of a gigabyte."""
    for path in (*folder.glob("stage-*/epoch-*.safetensors"), *folder.glob("stage-*/kept.pt")):
        path.unlink()
