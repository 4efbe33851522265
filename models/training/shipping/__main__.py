"""Make a classifier of NIH films: `python -m models.training.shipping --root NIH --out RUN --model nih-mini`.

Trains five folds, then all films up to the epoch that the folds chose, and writes weights, registry file and card. An
interrupted run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import logging
import os
from functools import partial
from pathlib import Path

import numpy as np
import torch

from models.cards.registry import REGISTRY
from models.training.nih.dataset import read_nih_films
from models.training.nih.joined_start import nih_start_state
from models.training.nih.nih_recipe import INVERSE_PENALTIES, nih_recipes
from models.training.saved_network import TIMM_NETWORK, save_network
from models.training.shipping.crossval import FOLDS, out_of_fold_logits, patient_folds, run_fold
from models.training.shipping.gate import write_gate_file
from models.training.shipping.linear_probe import fit_probe
from models.training.shipping.listed_files import write_file_hashes
from models.training.shipping.nih.ship import WEIGHTS_FOLDER, ship_model
from models.training.trainer import train
from models.whole_file import atomic_write


def main() -> None:
    """Run all steps that are not yet done."""
    parser = argparse.ArgumentParser(prog="python -m models.training.shipping", description=__doc__)
    parser.add_argument("--root", type=Path, required=True, help="NIH's own download, or a folder with labels.csv")
    parser.add_argument("--out", type=Path, required=True, help="folder for folds and checkpoints")
    parser.add_argument("--model", choices=nih_recipes(), required=True, help="named in nih/recipes.toml")
    parser.add_argument(
        "--folds", type=int, nargs="*", default=range(FOLDS), help="only these (to use several processes)"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only-gate", action="store_true", help="write only the gate statistics of a finished run")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    options.out.mkdir(parents=True, exist_ok=True)

    chosen = nih_recipes()[options.model]
    recipe, state = chosen.recipe, nih_start_state(chosen.start, chosen.recipe.architecture)
    trainer = partial(fit_probe, inverse_penalties=INVERSE_PENALTIES) if chosen.probe else train
    train_films, films = (read_nih_films(options.root, size) for size in (chosen.training_size, recipe.size))
    folds = patient_folds(films)
    for fold in options.folds:
        run_fold(fold, folds, train_films, films, recipe, state, options.out, trainer)
    if any(not (options.out / f"fold-{fold}.npz").exists() for fold in range(FOLDS)):
        return

    final = options.out / "final.safetensors"
    if not final.exists():
        epoch = out_of_fold_logits(options.out, films)[2]
        model = trainer(train_films, np.arange(len(films)), recipe, state, FOLDS, lambda *_: None, last=epoch)
        with atomic_write(final) as target:
            save_network(model, TIMM_NETWORK, target)
    if options.only_gate:
        write_gate_file(options.out, films, folds, recipe, WEIGHTS_FOLDER / f"{chosen.name}.gate.safetensors")
        write_file_hashes(REGISTRY / f"{chosen.name}.toml")
    else:
        ship_model(options.out, films, folds, chosen)


if __name__ == "__main__":
    main()
