"""Trains starting weights for real films on simulated ones: `python -m explorer.workshop.shipping.pretraining`.

Their labels are exact, and with --masks it learns where each finding lies, too. The epoch is the last: real films say
what it is worth. A run that was broken off goes on, also in rendering.
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

from explorer.simulator.cohort_sampling import SEEN, Split, cases
from explorer.workshop.lab.phantom_dataset import exact_labels, films, masks
from explorer.workshop.lab.phantom_pixels import pixels
from explorer.workshop.lab.phantom_splits import TRAINING_SIZE
from models.training.films import TrainingFilms
from models.training.network import LINEAR_HEAD, NetworkWithMasks, new_network
from models.training.processor import processor_for_training
from models.training.recipe import RecipePart, TrainingRecipe
from models.training.start import imagenet_state
from models.training.trainer import fit_network
from models.whole_file import atomic_write

log = logging.getLogger(__name__)
RECIPE = TrainingRecipe(epochs=3, loss=RecipePart("bce"))
MASK_WEIGHT = 5.0
FIRST = 1_000_000  # seed: no film of the cohort's own splits is among these


def main() -> None:
    """Render and train what is missing."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.pretraining", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run: films and weights")
    parser.add_argument("--films", type=int, default=20_000)
    parser.add_argument("--masks", action="store_true", help="learn where findings lie, too")
    parser.add_argument("--epochs", type=int, default=RECIPE.epochs)
    parser.add_argument("--processes", type=int, default=2, help="that render")
    parser.add_argument("--threads", type=int, default=2, help="of the training")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    recipe = replace(RECIPE, epochs=options.epochs, mask_weight=MASK_WEIGHT if options.masks else 0.0)
    shown = simulated(options.out, options.films, recipe.size, options.processes)
    with processor_for_training(options.threads):
        pretrain(options.out, shown, recipe)


def simulated(out: Path, count: int, size: int, processes: int, film_size: int = TRAINING_SIZE) -> TrainingFilms:
    """So many films, two in three of center A, as nature has them but for a floor under the rarest findings."""
    chosen = cases(Split(f"pretraining-{count}", (("A", count - count // 3), ("B", count // 3)), 5, SEEN[1:], FIRST))
    drawn = pixels(out, f"pretraining-{count}", chosen, size, processes, film_size)
    labels = exact_labels(chosen, SEEN)
    return films(chosen, drawn.wide, labels, masks(drawn, labels, SEEN))


def pretrain(out: Path, shown: TrainingFilms, recipe: TrainingRecipe, seed: int = 0) -> Path:
    """The weights of the network without its masks, as `models.training.start.start_state` reads them."""
    target = out / ("with-masks.safetensors" if recipe.mask_weight else "findings-alone.safetensors")
    if target.exists():
        return target
    torch.manual_seed(seed)
    network = new_network(recipe, LINEAR_HEAD, shown.labels.mean(0), shown.traits.shape[1], imagenet_state())

    def tell(epoch: int, _: nn.Module, loss: float) -> None:
        log.info("epoch %d of %d, loss %.3f", epoch, recipe.epochs, loss)

    kept = target.with_suffix(".kept.pt")
    average = fit_network(network, shown, np.arange(len(shown)), recipe, seed, tell, checkpoint=kept)
    body = average.body if isinstance(average, NetworkWithMasks) else average
    with atomic_write(target) as partial:
        save_file({name: tensor.contiguous() for name, tensor in body.state_dict().items()}, partial)
    kept.unlink()
    return target


if __name__ == "__main__":
    main()
