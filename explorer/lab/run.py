"""A recipe trained with a seed: every epoch is kept until validation has chosen one, and a run broken off goes on."""

from __future__ import annotations

import json
import logging
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import nn

from explorer.lab.films import LabFilms
from explorer.metrics.metrics import average_precision
from models.training.films import Films
from models.training.lab_recipe import BASELINE, LabRecipe, WrongRecipe, lab_recipe, names
from models.training.network import network_of, predict, restart_head
from models.training.recipe import Recipe
from models.training.start import imagenet_state
from models.training.trainer import fit
from models.whole_file import replaced

SAID, FINAL = "said.npz", "final.safetensors"
log = logging.getLogger(__name__)
Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Trained:
    """What a recipe came to with one seed: logits (n, findings) of validation and test films.

    `curve` is the mean AP on validation films after each epoch of the last stage, `epoch` the one that was taken.
    `seconds` of the process that ended the training, without what it went on from; `parameters` of the network.
    """

    validation: Floats
    test: Floats
    curve: tuple[float, ...]
    epoch: int
    seconds: float
    parameters: int


def folder_of(run: Path, recipe: str, seed: int) -> Path:
    """Where a recipe's training with a seed is kept."""
    return run / f"{recipe}-{seed}"


def trained(run: Path, recipe: LabRecipe, films: LabFilms, seed: int) -> Trained:
    """Train what is not trained yet, also what the recipe goes on from.

    Raises ValueError where a part of the recipe does not suit the films, WrongRecipe for one that it goes on from.
    """
    folder = folder_of(run, recipe.name, seed)
    if not (folder / SAID).exists():
        _train(run, recipe, films, seed)
    return _said(folder)


def done(run: Path) -> dict[str, list[Trained]]:
    """By recipe, the baseline first, what was trained in the folder, seed by seed. Raises WrongRecipe without any."""
    found: dict[str, list[Trained]] = {}
    for recipe in names():
        made = [place.parent.name.rpartition("-") for place in run.glob(f"{recipe}-*/{SAID}")]
        seeds = sorted(int(seed) for name, _, seed in made if name == recipe)
        if seeds:
            found[recipe] = [_said(folder_of(run, recipe, seed)) for seed in seeds]
    if BASELINE not in found:
        raise WrongRecipe(
            f"The baseline was not trained in {run.name}",
            f"Run `python -m explorer lab train {BASELINE} --run {run.name}` first.",
        )
    return found


def _said(folder: Path) -> Trained:
    with np.load(folder / SAID) as file:
        about = json.loads(str(file["about"]))
        return Trained(file["validation"], file["test"], tuple(about.pop("curve")), **about)


def _train(run: Path, recipe: LabRecipe, films: LabFilms, seed: int) -> None:
    folder = folder_of(run, recipe.name, seed)
    folder.mkdir(parents=True, exist_ok=True)
    network = _start(run, recipe, films, seed)
    findings = len(films.findings)
    begun = time.monotonic()
    for number, stage in enumerate(recipe.stages, 1):
        place = folder / f"stage-{number}"
        torch.manual_seed(1000 * seed + number)
        if stage.trains == "head":
            restart_head(network, films.training.labels.mean(0))
        log.info("%s, seed %d, stage %d of %d", recipe.name, seed, number, len(recipe.stages))
        curve = _stage(network, stage, films, seed, place)
        network.load_state_dict(load_file(place / f"epoch-{_best(curve)}.safetensors"))
    seconds = time.monotonic() - begun
    network.eval()
    about = {
        "curve": curve,
        "epoch": _best(curve),
        "seconds": round(seconds, 1),
        "parameters": sum(each.numel() for each in network.parameters()),
    }
    _save(network, folder / FINAL)
    with replaced(folder / SAID) as partial, partial.open("wb") as file:
        np.savez(
            file,
            validation=predict(network, films.validation.pixels, findings),
            test=predict(network, films.test.pixels, findings),
            about=json.dumps(about),
        )
    _forget(folder)


def _stage(network: nn.Module, stage: Recipe, films: LabFilms, seed: int, place: Path) -> list[float]:
    """Train what is left of a stage, and keep every epoch; the mean AP on validation films after each."""
    curve = _known(place)

    def keep(epoch: int, average: nn.Module, loss: float) -> None:
        _save(average, place / f"epoch-{epoch}.safetensors")
        worth = mean_ap(films.validation, predict(average, films.validation.pixels, len(films.findings)))
        curve[epoch - 1 :] = [worth]  # what is there is of an epoch that is done again after a run was broken off
        with replaced(place / "curve.json") as partial:
            partial.write_text(json.dumps(curve), encoding="utf-8")
        log.info("epoch %d of %d: loss %.3f, mAP %.3f", epoch, stage.epochs, loss, worth)

    rows = np.arange(len(films.training))
    fit(network, films.training, rows, stage, seed, keep, kept=place / "kept.pt")
    return curve


def _start(run: Path, recipe: LabRecipe, films: LabFilms, seed: int) -> nn.Module:
    """ImageNet's network with the recipe's head, or that of the recipe that it goes on from."""
    torch.manual_seed(seed)
    prevalence, traits = films.training.labels.mean(0), films.training.traits.shape[1]
    network = network_of(recipe.stages[0], recipe.head, prevalence, traits, imagenet_state())
    if recipe.after is not None:
        trained(run, lab_recipe(recipe.after), films, seed)
        network.load_state_dict(load_file(folder_of(run, recipe.after, seed) / FINAL))
    return network


def mean_ap(films: Films, logits: Floats) -> float:
    """The mean average precision over findings that some films have."""
    return float(np.nanmean(average_precision(films.labels, logits)))


def _save(network: nn.Module, target: Path) -> None:
    with replaced(target) as partial:
        save_file({name: tensor.contiguous() for name, tensor in network.state_dict().items()}, partial)


def _known(place: Path) -> list[float]:
    curve = place / "curve.json"
    found: list[float] = json.loads(curve.read_text(encoding="utf-8")) if curve.exists() else []
    return found


def _best(curve: list[float]) -> int:
    return int(np.nanargmax(curve)) + 1


def _forget(folder: Path) -> None:
    """The epochs and what a broken run would have gone on from: a tenth of a gigabyte each."""
    for path in (*folder.glob("stage-*/epoch-*.safetensors"), *folder.glob("stage-*/kept.pt")):
        path.unlink()
