"""Make the phantom's models: `python -m explorer.shipped.train_phantom --out RUN`.

Renders 9,000 films, trains the classifier `phantom`, projects it into the text space of nih-mini-vlm as `phantom-vlm`,
and writes weights, registry files and cards. A run that was broken off goes on: rendered films are kept in RUN, and so
is the trained network. With --films everything is small and goes into RUN/shipped: a trial of every step.
"""

from __future__ import annotations

import argparse
import logging
from dataclasses import replace
from pathlib import Path

import torch

from explorer.phantom.cohort_sampling import TEST, TRAINING, VALIDATION, SampledCase, cases
from explorer.phantom.cohort_sampling import Split as Part
from explorer.phantom.film_png import SIZE
from explorer.shipped.training import classifier, vlm
from explorer.shipped.training.classifier import SplitFilms, Splits
from explorer.shipped.training.pixels import pixels
from explorer.shipped.training.place import SHIPPED, beside
from models.training.recipe import Recipe

# Pixels a side. Rendered at this size or at full size, a film as large as the model sees it differs by less than 1 % of
# its contrast; it takes less than half the time. Validation and test films are rendered at full size, as in the app.
TRAINING_SIZE = 320


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(prog="python -m explorer.shipped.train_phantom", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of the run: films and checkpoints")
    parser.add_argument("--films", type=int, help="a trial: this many training films, half as many of the others")
    parser.add_argument("--epochs", type=int, default=Recipe().epochs)
    parser.add_argument("--processes", type=int, default=2, help="that render")
    parser.add_argument("--film-size", type=int, default=TRAINING_SIZE, help="of training films, in pixels")
    parser.add_argument("--threads", type=int, default=2, help="of the training")
    parser.add_argument("--only-render", action="store_true", help="stop when the films are there")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(options.threads)
    torch.set_flush_denormal(True)
    options.out.mkdir(parents=True, exist_ok=True)
    splits = render(options.out, options.films, options.processes, options.film_size)
    if not options.only_render:
        recipe = replace(Recipe(), epochs=options.epochs)
        place = SHIPPED if options.films is None else beside(options.out / "shipped")
        vlm.ship(splits, classifier.ship(options.out, splits, recipe, place), place)


def render(out: Path, few: int | None, processes: int, film_size: int, size: int = Recipe().size) -> Splits:
    """The films of the cohort for a network of `size` pixels, or `few` of them and half as many of the others."""

    def split(part: Part, most: int | None, rendered: int) -> SplitFilms:
        chosen = cases(part) if most is None else _some(cases(part), most)
        return SplitFilms(chosen, pixels(out, part.name, chosen, size, processes, rendered))

    half = few and few // 2
    return Splits(split(TRAINING, few, film_size), split(VALIDATION, half, SIZE), split(TEST, half, SIZE))


def _some(every: tuple[SampledCase, ...], most: int) -> tuple[SampledCase, ...]:
    """Evenly taken, so that both centers are there."""
    return every[:: max(1, len(every) // most)][:most]


if __name__ == "__main__":
    main()
