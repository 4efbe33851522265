"""Trains starting weights for real films on simulated ones: `python -m explorer.workshop.shipping.pretraining`.

Labels are exact, and with --masks the network also learns each finding's site. The last epoch is used, because only
real films can show its value. An interrupted run resumes where it stopped, also when rendering.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file
from torch import nn

from explorer.simulator.cohort_sampling import SEEN_FINDINGS, Split, sample_cases
from explorer.workshop.lab.phantom_dataset import exact_labels, finding_masks, training_films
from explorer.workshop.lab.phantom_pixels import render_pixels
from explorer.workshop.lab.phantom_splits import TRAINING_SIZE
from models.training.films import TrainingFilms
from models.training.network import LINEAR_HEAD, NetworkWithMasks, new_network
from models.training.processor import processor_for_training
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.start import imagenet_state
from models.training.trainer import fit_network
from models.whole_file import atomic_write

log = logging.getLogger(__name__)
PRETRAINING_RECIPE = TrainingRecipe(epochs=3, loss=RecipePart("bce"))
MASK_WEIGHT = 5.0
FIRST_SEED = 1_000_000  # first seed, beyond the seeds of the cohort's own splits


def main() -> None:
    """Render and train what is missing."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.pretraining", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for films and weights")
    parser.add_argument("--films", type=int, default=20_000)
    parser.add_argument("--masks", action="store_true", help="also learn each finding's site")
    parser.add_argument("--epochs", type=int, default=PRETRAINING_RECIPE.epochs)
    parser.add_argument("--processes", type=int, default=2, help="number of rendering processes")
    parser.add_argument("--threads", type=int, default=2, help="number of training threads")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    recipe = replace(PRETRAINING_RECIPE, epochs=options.epochs, mask_weight=MASK_WEIGHT if options.masks else 0.0)
    shown = simulated_films(options.out, options.films, recipe.size, options.processes)
    with processor_for_training(options.threads):
        pretrain(options.out, shown, recipe)


def simulated_films(out: Path, count: int, size: int, processes: int, film_size: int = TRAINING_SIZE) -> TrainingFilms:
    """Return `count` films at natural prevalence, with a floor under the rarest findings, two thirds from center A."""
    chosen = sample_cases(
        Split(f"pretraining-{count}", (("A", count - count // 3), ("B", count // 3)), 5, SEEN_FINDINGS[1:], FIRST_SEED)
    )
    drawn = render_pixels(out, f"pretraining-{count}", chosen, size, processes, film_size)
    labels = exact_labels(chosen, SEEN_FINDINGS)
    return training_films(chosen, drawn.wide, labels, finding_masks(drawn, labels, SEEN_FINDINGS))


def pretrain(out: Path, shown: TrainingFilms, recipe: TrainingRecipe, seed: int = 0) -> Path:
    """Train the network and write its weights without masks, as `models.training.start.start_state` reads them."""
    target = out / ("with-masks.safetensors" if recipe.mask_weight else "findings-alone.safetensors")
    if target.exists():
        return target
    torch.manual_seed(seed)
    network = new_network(recipe, LINEAR_HEAD, shown.labels.mean(0), shown.traits.shape[1], imagenet_state())

    def report(epoch: int, _: nn.Module, loss: float) -> None:
        log.info("epoch %d of %d, loss %.3f", epoch, recipe.epochs, loss)

    kept = target.with_suffix(".kept.pt")
    average = fit_network(network, shown, np.arange(len(shown)), recipe, seed, report, checkpoint=kept)
    body = average.body if isinstance(average, NetworkWithMasks) else average
    with atomic_write(target) as partial:
        save_file({name: tensor.contiguous() for name, tensor in body.state_dict().items()}, partial)
    kept.unlink()
    return target


if __name__ == "__main__":
    main()
