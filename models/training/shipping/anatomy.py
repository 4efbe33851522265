"""Makes the network that outlines anatomy: `python -m models.training.shipping.anatomy --run RUN`.

RUN holds training films from `explorer.workshop.shipping.anatomy_films`. An interrupted run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
from safetensors.torch import save_file

from models.training.anatomy.train import OutlineRecipe, train_outlines
from models.training.processor import processor_for_training
from models.whole_file import atomic_write


def main() -> None:
    """Train, then write the weights in half precision."""
    parser = argparse.ArgumentParser(prog="python -m models.training.shipping.anatomy", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder with training.npy")
    parser.add_argument("--out", type=Path, required=True, help="the weights' file, .safetensors")
    parser.add_argument("--steps", type=int, default=OutlineRecipe().steps)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    films = np.load(options.run / "training.npy", mmap_mode="r")
    with processor_for_training(options.threads):
        recipe = replace(OutlineRecipe(), steps=options.steps)
        network = train_outlines(films, recipe, options.run / f"anatomy-{options.steps}.pt")
    numbers = {
        name: number.half().contiguous() if number.is_floating_point() else number
        for name, number in network.state_dict().items()
        if not name.endswith("num_batches_tracked")
    }
    with atomic_write(options.out) as partial:
        save_file(numbers, partial)


if __name__ == "__main__":
    main()
