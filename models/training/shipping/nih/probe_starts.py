"""Probe pretrained networks on NIH films: `python -m models.training.shipping.nih.probe_starts`.

`--root NIH_FOLDER --out RUN NAME=FILE...` computes the out-of-fold logits of all networks in starts/probes.toml;
"imagenet" needs no file. Folds and the choice of the penalty are those of the other NIH classifiers. Existing features
are reused.
"""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.cards.start_probes import ProbedStarts, starting_networks, write_probes
from models.classifier.backbone import Backbone
from models.training.films import TrainingFilms
from models.training.network import started_backbone
from models.training.nih.dataset import read_nih_films
from models.training.nih.nih_recipe import INVERSE_PENALTIES
from models.training.recipe import IMAGENET, TrainingRecipe
from models.training.shipping.crossval import FOLDS, patient_folds, stopped_by_other_folds
from models.training.shipping.linear_probe import fit_layer
from models.training.start import start_state
from models.training.trained import pooled_features
from models.whole_file import atomic_write

log = logging.getLogger(__name__)


def main() -> None:
    """Probe all networks and write the logits."""
    parser = argparse.ArgumentParser(prog="python -m models.training.shipping.nih.probe_starts", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="NIH's own download, or a folder with labels.csv")
    parser.add_argument("--out", type=Path, required=True, help="folder for features")
    known = tuple(starting_networks())
    parser.add_argument("starts", nargs="+", metavar="NAME=FILE", help=f"each of {', '.join(known)}")
    options = parser.parse_args()
    files = dict(each.partition("=")[::2] for each in options.starts)
    if files.keys() != set(known):
        parser.error(f"name each of {', '.join(known)}")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    options.out.mkdir(parents=True, exist_ok=True)
    recipe = TrainingRecipe()
    films = read_nih_films(options.root, recipe.size)
    folds, logits = patient_folds(films), {}
    for name in known:
        state = start_state(files[name] or IMAGENET, recipe.architecture)
        logits[name] = probe_logits(films, folds, _pooled(options.out / f"{name}.npy", films, recipe, state))
        log.info("%s probed", name)
    write_probes(ProbedStarts(films.image_ids, logits))


def probe_logits(films: TrainingFilms, folds: NDArray[np.int64], pooled: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return out-of-fold logits (n, findings) of probes on features (n, d); the other folds choose the penalty."""
    parts = []
    for fold in range(FOLDS):
        held_out, rest = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        layers = (fit_layer(pooled[rest], films.labels[rest], each) for each in INVERSE_PENALTIES)
        parts.append((held_out, np.stack([layer.logits(pooled[held_out]) for layer in layers])))
    return stopped_by_other_folds(parts, films)[0]


def _pooled(kept: Path, films: TrainingFilms, recipe: TrainingRecipe, state: dict[str, Tensor]) -> NDArray[np.float32]:
    """Return the features (n, d) of every film, from the file `kept` if it exists."""
    if not kept.exists():
        network = started_backbone(recipe, 1, state).eval().requires_grad_(False)
        with atomic_write(kept) as partial, partial.open("wb") as file:
            np.save(file, pooled_features(Backbone(network), films.pixels))
    pooled: NDArray[np.float32] = np.load(kept)
    return pooled


if __name__ == "__main__":
    main()
