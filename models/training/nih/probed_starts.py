"""What networks that learned from other films know of real ones, by linear probes of their frozen features.

`python -m models.training.nih.probed_starts --root NIH_FOLDER --out RUN NAME=FILE...` makes their out-of-fold logits,
the folds and the choice of the penalty those of every other classifier of these films. NAME is one of STARTS, and
"imagenet" needs no file. Features that are there already are not made again.
"""

from __future__ import annotations

import argparse
import json
import logging
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save_file
from torch import Tensor

from models.classifier.backbone import Backbone
from models.training.crossval import FOLDS, chosen_by_other_folds, split
from models.training.films import Films
from models.training.linear_probe import fitted_layer
from models.training.network import imagenet_model
from models.training.nih.dataset import read_films
from models.training.nih.nih_recipe import INVERSE_PENALTIES
from models.training.recipe import IMAGENET, Recipe
from models.training.start import start_state
from models.training.trained import features
from models.whole_file import replaced

log = logging.getLogger(__name__)
FOLDER = Path(__file__).parent / "starts"
ABOUT, LOGITS = FOLDER / "probes.toml", FOLDER / "probes.safetensors"


@dataclass(frozen=True, slots=True)
class Start:
    """A network to start from: of so many simulated `films` it `learned` what a phrase says, with `masks` or without."""

    name: str
    films: int
    masks: bool
    learned: str


@dataclass(frozen=True, slots=True, eq=False)
class ProbedStarts:
    """Out-of-fold logits (n, findings) of a probe of each start, in the order of `image_ids` (n,)."""

    image_ids: tuple[str, ...]
    logits: dict[str, NDArray[np.float32]]


def main() -> None:
    """Probe what is named, and write the logits of all."""
    parser = argparse.ArgumentParser(prog="python -m models.training.nih.probed_starts", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="NIH's own download, or a folder with labels.csv")
    parser.add_argument("--out", type=Path, required=True, help="folder that keeps features")
    parser.add_argument("starts", nargs="+", metavar="NAME[=FILE]", help=f"of {', '.join(starts())}")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    options.out.mkdir(parents=True, exist_ok=True)
    recipe = Recipe()
    films = read_films(options.root, recipe.size)
    folds, logits = split(films), {}
    for name, _, file in (each.partition("=") for each in options.starts):
        pooled = _pooled(options.out / f"{name}.npy", films, recipe, start_state(file or IMAGENET, recipe.architecture))
        logits[starts()[name].name] = probe(films, folds, pooled)
        log.info("%s probed", name)
    write(ProbedStarts(films.image_ids, logits))


def starts() -> dict[str, Start]:
    """Those that are compared, by name."""
    tables = tomllib.loads(ABOUT.read_text(encoding="utf-8"))
    return {name: Start(name, **table) for name, table in tables.items()}


def probe(films: Films, folds: NDArray[np.int64], pooled: NDArray[np.float32]) -> NDArray[np.float32]:
    """Out-of-fold logits (n, findings) of probes of features (n, d), each with the penalty that the other folds choose."""
    parts = []
    for fold in range(FOLDS):
        held, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        layers = (fitted_layer(pooled[rest], films.labels[rest], each) for each in INVERSE_PENALTIES)
        parts.append((held, np.stack([layer.logits(pooled[held]) for layer in layers])))
    return chosen_by_other_folds(parts, films)[0]


def _pooled(kept: Path, films: Films, recipe: Recipe, state: dict[str, Tensor]) -> NDArray[np.float32]:
    """Features (n, d) of every film, from the file `kept` where it is there."""
    if not kept.exists():
        network = imagenet_model(recipe, 1, state).eval().requires_grad_(False)
        with replaced(kept) as partial, partial.open("wb") as file:
            np.save(file, features(Backbone(network), films.pixels))
    pooled: NDArray[np.float32] = np.load(kept)
    return pooled


def write(probed: ProbedStarts) -> None:
    """Into the project, whole or not at all."""
    with replaced(LOGITS) as partial:
        tensors = {name: logits.astype(np.float16) for name, logits in probed.logits.items()}
        save_file(tensors, partial, {"image_ids": json.dumps(probed.image_ids)})


def probed_starts() -> ProbedStarts:
    """The shipped logits, in the order of `starts`."""
    with safe_open(LOGITS, "np") as file:
        image_ids = tuple(json.loads(file.metadata()["image_ids"]))
        return ProbedStarts(image_ids, {name: file.get_tensor(name).astype(np.float32) for name in starts()})
