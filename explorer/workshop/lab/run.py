"""Trains a recipe with a seed and can resume: every epoch is kept until validation has chosen one."""

from __future__ import annotations

import hashlib
import json
import logging
import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from torch import nn

from explorer.metrics.metrics import average_precision
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.first_network import first_state, has_new_head, new_recipe_network
from explorer.workshop.lab.kept_epochs import EpochCurve, best_epoch, delete_epochs, save_weights, stored_curve
from explorer.workshop.lab.recipe_labels import teach
from explorer.workshop.lab.simulated_tail import add_simulated_tail
from explorer.workshop.lab.timing import TIMED_FILMS, milliseconds_per_film
from explorer.workshop.lab.trained import (
    SCORES_FILE,
    SHIPPED_RUNS,
    FilmLogits,
    TrainedRecipe,
    TrainingCost,
    read_trained,
)
from models.array_types import Float32
from models.cards.known_file import sha256_of
from models.out_of_memory import refuse_out_of_memory
from models.training.film_groups import FilmGroups, film_groups
from models.training.films import TrainingFilms
from models.training.inference.class_wise import ClassWiseEnsemble
from models.training.inference.mean_of_views import mean_of_views
from models.training.inference.registry import build_inference
from models.training.lab_recipe import (
    BASELINE_RECIPE,
    LabRecipe,
    WrongRecipe,
    checkpoint_of,
    lab_recipe,
    recipe_in,
    recipe_names,
)
from models.training.losses.result_weighted import result_weights
from models.training.network import predict, predict_studies, restart_head
from models.training.network_at_size import NetworkAtSize
from models.training.precision import precision_of
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.trainer import fit_network
from models.whole_file import atomic_write

FINAL_WEIGHTS = "final.safetensors"
BODY_PREFIX = "body."  # of the backbone's tensors in a network with a head of its own
RESULT_WEIGHTED = "result-weighted"  # the loss whose weights come from the recipe's judge
RECIPE_FILE = "recipe.toml"  # a copy of a user's recipe beside its training
log = logging.getLogger(__name__)
Predict = Callable[[TrainingFilms], Float32]  # logits (n, findings) of films


def training_folder(run: Path, recipe: str, seed: int) -> Path:
    """Return the folder of a recipe's training with a seed."""
    return run / f"{recipe}-{seed}"


def weights_file(run: Path, recipe: str, seed: int, checkpoint: int = 1) -> Path:
    """Return the file of a trained recipe's weights; `checkpoint` counts its best epochs from 1 on."""
    name = FINAL_WEIGHTS if checkpoint == 1 else f"final-{checkpoint}.safetensors"
    return training_folder(run, recipe, seed) / name


def train_recipe(run: Path, recipe: LabRecipe, films: LabFilms, seed: int, device: str = "cpu") -> TrainedRecipe:
    """Train the recipe and any recipe that it continues on a device, unless they are already trained.

    Larger films than the recipe's are reduced. Raises WrongRecipe if part of the recipe does not suit the films, or if
    the folder contains trainings on other films or of another recipe with this name.
    """
    folder = training_folder(run, recipe.name, seed)
    _check_same_recipe(folder, recipe)
    if not (folder / SCORES_FILE).exists():
        try:
            work = _combine_networks if recipe.of else _train
            with refuse_out_of_memory(recipe.name, device):
                work(run, recipe, films, seed, device).write(folder)
            delete_epochs(folder)
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

    A run on the same films as the shipped trainings gets their baseline if it lacks one. Raises WrongRecipe if there is
    none.
    """
    found = trainings_in(run)
    if BASELINE_RECIPE not in found:
        shipped = trainings_in(SHIPPED_RUNS)[BASELINE_RECIPE]
        if any(np.array_equal(made.test.cases, shipped[0].test.cases) for seeds in found.values() for made in seeds):
            return {BASELINE_RECIPE: shipped, **found}
        raise WrongRecipe(
            f"The baseline was not trained in {run.name}",
            f"Run `python -m explorer lab train {BASELINE_RECIPE} --run {run.name}` first.",
        )
    return found


def trainings_in(run: Path) -> dict[str, list[TrainedRecipe]]:
    """Return the folder's trainings as `finished_trainings` does, with or without a baseline among them."""
    found: dict[str, list[TrainedRecipe]] = {}
    for place in sorted(run.glob(f"*/{SCORES_FILE}")):
        made = read_trained(place.parent)
        if _is_compared(run, made):
            found.setdefault(made.recipe, []).append(made)
    order = [*recipe_names(), *sorted(found)]  # a user's own recipes come last
    return {name: sorted(found[name], key=lambda each: each.seed) for name in dict.fromkeys(order) if name in found}


def _is_compared(run: Path, made: TrainedRecipe) -> bool:
    """Return whether a finished training stands for itself, and not only as part of another recipe."""
    copy = training_folder(run, made.recipe, made.seed) / RECIPE_FILE
    if copy.exists():
        return recipe_in(made.recipe, copy.read_text(encoding="utf-8"), copy.parent).part_of is None
    return made.recipe not in recipe_names() or lab_recipe(made.recipe).part_of is None


def _check_same_recipe(folder: Path, recipe: LabRecipe) -> None:
    """Copy a user's recipe into the folder of its training; refuse one that was changed since its first epoch."""
    if recipe.shipped:
        return
    copy = folder / RECIPE_FILE
    if copy.exists() and copy.read_text(encoding="utf-8") == recipe.text:
        return
    if (folder / SCORES_FILE).exists() or any(folder.glob("stage-*/curve.json")):
        raise WrongRecipe(
            f"{recipe.name} was changed since its training began",
            f"Give the changed file another name, or delete {folder} to train it anew.",
        )
    folder.mkdir(parents=True, exist_ok=True)
    with atomic_write(copy) as partial:
        partial.write_text(recipe.text, encoding="utf-8")


def _train(run: Path, recipe: LabRecipe, films: LabFilms, seed: int, device: str) -> TrainedRecipe:
    folder = training_folder(run, recipe.name, seed)
    folder.mkdir(parents=True, exist_ok=True)
    network = _start(run, recipe, films, seed, device).to(device)
    log.info("training on %s with %s", device, precision_of(device).words)
    if recipe.simulated_tail:
        films = add_simulated_tail(run, films, recipe.simulated_tail)
    rows, training = films.rows_of(recipe), films.told(recipe)
    if recipe.teacher:
        training = _taught(run, recipe, films, training, seed, device)
    seconds = 0.0
    curve: EpochCurve = []
    for number, stage in enumerate(_judged(run, recipe, films, seed, device), 1):
        place = folder / f"stage-{number}"
        torch.manual_seed(1000 * seed + number)
        if stage.trains == "head" and (number > 1 or _keeps_head(recipe)):
            restart_head(network, training.prevalence(rows))
        log.info("%s, seed %d, stage %d of %d", recipe.name, seed, number, len(recipe.stages))
        shown = replace(films, training=training).at_size(stage.size)
        curve = _stage(network, stage, shown, rows, seed, place)
        seconds += sum(took for _, took in curve)
        network.load_state_dict(load_file(place / f"epoch-{best_epoch(curve)}.safetensors"))
    network.eval()
    _keep_checkpoints(run, recipe, seed, curve)
    at_size = NetworkAtSize(network, recipe.size)

    def answer(shown: TrainingFilms) -> Float32:
        return _score_studies(recipe, shown, network_logits(at_size, shown, recipe.study_films))

    weights = sum(each.numel() for each in network.parameters())
    results = _results(recipe, films, seed, rows, answer)
    network.to("cpu")  # where the time of a film is measured
    return TrainedRecipe(
        **results,
        device=device,
        curve=tuple(worth for worth, _ in curve),
        epoch=best_epoch(curve),
        size=recipe.size,
        sha256=sha256_of(folder / FINAL_WEIGHTS),
        cost=TrainingCost(round(seconds, 1), weights, milliseconds_per_film(answer, films.test.first(TIMED_FILMS))),
    )


def _judged(run: Path, recipe: LabRecipe, films: LabFilms, seed: int, device: str) -> tuple[TrainingRecipe, ...]:
    """Return the recipe's stages; a result-weighted loss gets weights from the judge's results on validation films."""
    if recipe.judge is None:
        return recipe.stages
    known = train_recipe(run, _other(recipe, recipe.judge), films, seed, device).validation
    weights = result_weights(average_precision(known.labels, known.logits).tolist())
    loss = RecipePart(RESULT_WEIGHTED, {"weights": weights})
    return tuple(replace(stage, loss=loss) if stage.loss.name == RESULT_WEIGHTED else stage for stage in recipe.stages)


def _taught(
    run: Path, recipe: LabRecipe, films: LabFilms, training: TrainingFilms, seed: int, device: str
) -> TrainingFilms:
    """Return the training films with the teacher's probabilities for the labels that the recipe leaves to it."""
    assert recipe.teacher is not None
    teacher = _other(recipe, recipe.teacher)
    train_recipe(run, teacher, films, seed, device)
    network = _finished_network(run, teacher, films, seed, 1).to(device)
    logits = network_logits(network, training, teacher.study_films)
    taught = np.zeros(training.labels.shape, dtype=bool)
    taught[films.at_centers(recipe.pseudo_centers, recipe.shipped)] = True
    if training.uncertain is not None and recipe.uncertain == "self-trained":
        taught |= training.uncertain
    if not taught.any():
        raise ValueError("The teacher has no label to give. Change pseudo_centers or uncertain.")
    return replace(training, labels=teach(training.labels, taught, logits))


def _combine_networks(run: Path, recipe: LabRecipe, films: LabFilms, seed: int, device: str) -> TrainedRecipe:
    """Combine the networks of other recipes, training them first if needed."""
    assert recipe.inference is not None  # `lab_recipe` ensures it
    training_folder(run, recipe.name, seed).mkdir(parents=True, exist_ok=True)
    names = list(dict.fromkeys(checkpoint_of(each)[0] for each in recipe.of))
    if reading := [name for name in names if _other(recipe, name).study_films]:
        raise ValueError(
            f"It combines networks that read film by film, and {reading[0]} reads studies. Train it alone."
        )
    members = [train_recipe(run, _other(recipe, name), films, seed, device) for name in names]
    networks = [
        _finished_network(run, _other(recipe, name), films, seed, checkpoint).to(device)
        for name, checkpoint in map(checkpoint_of, recipe.of)
    ]
    inference = build_inference(recipe.inference.name, recipe.inference.parameters, len(networks))
    if isinstance(inference, ClassWiseEnsemble):
        ranked = [predict(network, films.validation.pixels, len(films.findings)) for network in networks]
        inference = inference.fitted(ranked, films.validation.labels)
    rows = films.rows_of(recipe)
    findings = dict(zip(films.findings, films.training.prevalence(rows).tolist(), strict=True))

    def answer(shown: TrainingFilms) -> Float32:
        return _score_studies(recipe, shown, inference(networks, shown.pixels, findings))

    own = [member.cost.seconds for member in members if _other(recipe, member.recipe).part_of == recipe.name]
    weights = {member.recipe: member.cost.parameters for member in members}
    parts = [repr(inference), *filter(None, [recipe.study_scores]), *(member.sha256 for member in members)]
    sha256 = hashlib.sha256("\n".join(parts).encode()).hexdigest()
    results = _results(recipe, films, seed, rows, answer)
    for network in networks:
        network.to("cpu")  # where the time of a film is measured
    took = milliseconds_per_film(answer, films.test.first(TIMED_FILMS))
    return TrainedRecipe(
        **results,
        device=device,
        curve=(mean_ap(films.validation, results["validation"].logits),),
        epoch=1,
        size=max(member.size for member in members),
        sha256=sha256,
        cost=TrainingCost(sum(own), sum(weights[checkpoint_of(each)[0]] for each in recipe.of), took),
    )


def _other(recipe: LabRecipe, name: str) -> LabRecipe:
    """Return a recipe that another one names: a shipped one, or a file beside its own. Raises WrongRecipe."""
    return lab_recipe(name, recipe.folder)


def _finished_network(run: Path, recipe: LabRecipe, films: LabFilms, seed: int, checkpoint: int) -> nn.Module:
    """Return the trained network of a recipe. Raises WrongRecipe if the recipe has none of its own, or not this one."""
    if recipe.of:
        raise WrongRecipe(f"{recipe.name} has no network of its own", "Name the recipes that it combines.")
    weights = weights_file(run, recipe.name, seed, checkpoint)
    if not weights.exists():
        raise WrongRecipe(
            f"{recipe.name} kept no checkpoint {checkpoint}",
            f"It needs `checkpoints = {checkpoint}` and as many epochs in its last stage.",
        )
    network = new_recipe_network(recipe, films)
    network.load_state_dict(load_file(weights))
    return NetworkAtSize(network.eval(), recipe.size)


def _keep_checkpoints(run: Path, recipe: LabRecipe, seed: int, curve: EpochCurve) -> None:
    """Keep the weights of the last stage's best epochs, as many as the recipe says."""
    place = training_folder(run, recipe.name, seed) / f"stage-{len(recipe.stages)}"
    best = sorted(range(len(curve)), key=lambda epoch: (-np.nan_to_num(curve[epoch][0], nan=-1.0), epoch))
    for number, epoch in enumerate(best[: recipe.checkpoints], 1):
        target = weights_file(run, recipe.name, seed, number)
        with atomic_write(target) as partial:
            shutil.copyfile(place / f"epoch-{epoch + 1}.safetensors", partial)


def _results(recipe: LabRecipe, films: LabFilms, seed: int, rows: NDArray[np.int64], answer: Predict) -> dict[str, Any]:
    """Return the training films' facts and the other films' logits."""

    def logits(part: TrainingFilms, centers: NDArray[np.str_]) -> FilmLogits:
        return FilmLogits(np.array(part.image_ids), part.patients, centers, part.labels, answer(part))

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
    curve = stored_curve(place)
    wall_start, processor_start = [time.monotonic()], [time.process_time()]

    def keep(epoch: int, average: nn.Module, loss: float) -> None:
        save_weights(average, place / f"epoch-{epoch}.safetensors")
        worth = _validation_ap(average, films.validation, stage.study_films)
        took, cost = time.monotonic() - wall_start[0], time.process_time() - processor_start[0]
        wall_start[0] += took
        processor_start[0] += cost
        curve[epoch - 1 :] = [(worth, cost)]  # replaces later entries if an interrupted run repeats an epoch
        with atomic_write(place / "curve.json") as partial:
            partial.write_text(json.dumps(curve), encoding="utf-8")
        left = (stage.epochs - epoch) * took / 60
        log.info("epoch %d of %d: loss %.3f, mAP %.3f, %.0f min left", epoch, stage.epochs, loss, worth, left)

    precision = precision_of(next(network.parameters()).device.type)
    fit_network(network, films.training, rows, stage, seed, keep, checkpoint=place / "kept.pt", precision=precision)
    return curve


def _start(run: Path, recipe: LabRecipe, films: LabFilms, seed: int, device: str) -> nn.Module:
    """Return a new network from the recipe's start, or the network of the recipe that this one continues."""
    torch.manual_seed(seed)
    if recipe.after is None:
        return new_recipe_network(recipe, films, first_state(recipe))
    network, before = new_recipe_network(recipe, films), _other(recipe, recipe.after)
    is_new = has_new_head(recipe, before)
    train_recipe(run, before, films, seed, device)
    trained = load_file(weights_file(run, before.name, seed))
    if is_new:
        trained = network.state_dict() | {name: trained[name] for name in trained if name.startswith(BODY_PREFIX)}
    network.load_state_dict(trained)
    return network


def _keeps_head(recipe: LabRecipe) -> bool:
    """Return whether a recipe starts with the trained head of another one."""
    return recipe.after is not None and not has_new_head(recipe, _other(recipe, recipe.after))


def network_logits(network: nn.Module, films: TrainingFilms, study_films: int) -> Float32:
    """Return logits (n, findings) of films; with `study_films`, each film's are those of its study."""
    findings = films.labels.shape[1]
    if not study_films:
        return predict(network, films.pixels, findings)
    groups = film_groups(films, np.arange(len(films)), study_films)
    return predict_studies(network, films, groups, findings)[groups.number]


def _validation_ap(network: nn.Module, films: TrainingFilms, study_films: int) -> float:
    """Return the mean average precision over films or, where studies are read, over studies."""
    groups = film_groups(films, np.arange(len(films)), study_films)
    first = np.unique(groups.number, return_index=True)[1]
    return mean_ap(groups, network_logits(network, films, study_films)[first])


def _score_studies(recipe: LabRecipe, films: TrainingFilms, logits: Float32) -> Float32:
    """Return logits (n, findings) in which films of one study have the same, if the recipe says so."""
    return mean_of_views(logits, films.studies, films.lateral) if recipe.study_scores else logits


def mean_ap(films: TrainingFilms | FilmGroups, logits: Float32) -> float:
    """Return the mean average precision over findings with at least one positive film or study."""
    return float(np.nanmean(average_precision(films.labels, logits)))
