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
from torch import Tensor, nn

from explorer.metrics.metrics import average_precision
from explorer.workshop.lab.films import LabFilms
from explorer.workshop.lab.kept_epochs import EpochCurve, best_epoch, delete_epochs, save_weights, stored_curve
from explorer.workshop.lab.recipe_labels import teach
from explorer.workshop.lab.simulated_tail import add_simulated_tail
from explorer.workshop.lab.timing import TIMED_FILMS, milliseconds_per_film
from explorer.workshop.lab.trained import SCORES_FILE, FilmLogits, TrainedRecipe, TrainingCost, read_trained
from models.array_types import Float32
from models.cards.known_file import sha256_of
from models.out_of_memory import refuse_out_of_memory
from models.training.films import TrainingFilms
from models.training.inference.class_wise import ClassWiseEnsemble
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
from models.training.network import LINEAR_HEAD, SeenLabels, new_network, predict, restart_head
from models.training.network_at_size import NetworkAtSize
from models.training.precision import precision_of
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.start import start_state
from models.training.trainer import fit_network
from models.whole_file import atomic_write

FINAL_WEIGHTS = "final.safetensors"
BODY_PREFIX = "body."  # of the backbone's tensors in a network with a head of its own
RESULT_WEIGHTED = "result-weighted"  # the loss whose weights come from the recipe's judge
RECIPE_FILE = "recipe.toml"  # a copy of a user's recipe beside its training
log = logging.getLogger(__name__)
Predict = Callable[[NDArray[np.uint8]], Float32]  # logits (n, findings) of letterboxed films (n, s, s)


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

    Raises WrongRecipe if the baseline is missing.
    """
    found: dict[str, list[TrainedRecipe]] = {}
    for place in sorted(run.glob(f"*/{SCORES_FILE}")):
        made = read_trained(place.parent)
        if _is_compared(run, made):
            found.setdefault(made.recipe, []).append(made)
    order = [*recipe_names(), *sorted(found)]  # a user's own recipes come last
    found = {name: sorted(found[name], key=lambda each: each.seed) for name in dict.fromkeys(order) if name in found}
    if BASELINE_RECIPE not in found:
        raise WrongRecipe(
            f"The baseline was not trained in {run.name}",
            f"Run `python -m explorer lab train {BASELINE_RECIPE} --run {run.name}` first.",
        )
    return found


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

    def answer(pixels: NDArray[np.uint8]) -> Float32:
        return predict(at_size, pixels, len(films.findings))

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
        cost=TrainingCost(round(seconds, 1), weights, milliseconds_per_film(answer, films.test.pixels[:TIMED_FILMS])),
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
    logits = predict(network, training.pixels, len(films.findings))
    taught = np.zeros(training.labels.shape, dtype=bool)
    taught[np.isin(films.training_centers, recipe.pseudo_centers)] = True
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

    def answer(pixels: NDArray[np.uint8]) -> Float32:
        return inference(networks, pixels, findings)

    own = [member.cost.seconds for member in members if _other(recipe, member.recipe).part_of == recipe.name]
    weights = {member.recipe: member.cost.parameters for member in members}
    sha256 = hashlib.sha256("\n".join([repr(inference), *(member.sha256 for member in members)]).encode()).hexdigest()
    results = _results(recipe, films, seed, rows, answer)
    for network in networks:
        network.to("cpu")  # where the time of a film is measured
    took = milliseconds_per_film(answer, films.test.pixels[:TIMED_FILMS])
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
    network = _new_network(recipe, films)
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
    curve = stored_curve(place)
    wall_start, processor_start = [time.monotonic()], [time.process_time()]

    def keep(epoch: int, average: nn.Module, loss: float) -> None:
        save_weights(average, place / f"epoch-{epoch}.safetensors")
        worth = mean_ap(films.validation, predict(average, films.validation.pixels, len(films.findings)))
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
        return _new_network(recipe, films, _first_state(recipe))
    network, before = _new_network(recipe, films), _other(recipe, recipe.after)
    has_new_head = _has_new_head(recipe, before)
    train_recipe(run, before, films, seed, device)
    trained = load_file(weights_file(run, before.name, seed))
    if has_new_head:
        trained = network.state_dict() | {name: trained[name] for name in trained if name.startswith(BODY_PREFIX)}
    network.load_state_dict(trained)
    return network


def _has_new_head(recipe: LabRecipe, before: LabRecipe) -> bool:
    """Return whether a recipe continues the recipe `before` with another head, of which only the backbone is kept.

    Raises ValueError if its backbone is another one, or if one of the two heads is timm's linear layer, whose network
    has other names.
    """
    if before.of:
        raise ValueError(f"It continues {before.name}, which has no network of its own. Name one that was trained.")
    own, other = (each.stages[0].architecture for each in (recipe, before))
    if own != other:
        raise ValueError(f"It continues {before.name}, whose network is {other}. Write the same architecture.")
    if before.head == recipe.head:
        return False
    if LINEAR_HEAD in (before.head, recipe.head):
        raise ValueError(
            f"{before.name} has the head {before.head.name}. Continue a recipe that also has a head of its own."
        )
    return True


def _keeps_head(recipe: LabRecipe) -> bool:
    """Return whether a recipe starts with the trained head of another one."""
    return recipe.after is not None and not _has_new_head(recipe, _other(recipe, recipe.after))


def _first_state(recipe: LabRecipe) -> dict[str, Tensor]:
    """Return the tensors that a recipe's network starts with. Raises ValueError if they are missing or do not fit."""
    first = recipe.stages[0]
    try:
        return start_state(first.start, first.architecture)
    except FileNotFoundError as error:
        raise ValueError(str(error)) from error


def _new_network(recipe: LabRecipe, films: LabFilms, state: dict[str, Tensor] | None = None) -> nn.Module:
    """Return a recipe's network; without a state its weights are random, to be replaced."""
    rows, told = films.rows_of(recipe), films.told(recipe)
    seen = SeenLabels(films.findings, told.labels[rows])
    traits = films.training.traits.shape[1]
    return new_network(recipe.stages[0], recipe.head, told.prevalence(rows), traits, state or {}, seen)


def mean_ap(films: TrainingFilms, logits: Float32) -> float:
    """Return the mean average precision over findings with at least one positive film."""
    return float(np.nanmean(average_precision(films.labels, logits)))
