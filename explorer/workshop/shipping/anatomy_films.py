"""Renders films with outlines of their anatomy: `python -m explorer.workshop.shipping.anatomy_films --run RUN`.

Training films are the phantom's training patients, test films its test patients; both have their findings at the
cohort's frequencies. An outline is one bit of a byte per pixel, in the order of STRUCTURES.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.address import PhantomFilm
from explorer.simulator.anatomy_masks import STRUCTURES, anatomy_masks
from explorer.simulator.cohort_sampling import TEST_SPLIT, TRAINING_SPLIT, VALIDATION_SPLIT, Split, sample_cases
from explorer.simulator.render import render
from explorer.simulator.request import CENTERS, Request
from explorer.simulator.version import NEWEST_DRAWING
from models.whole_file import atomic_write

SIDE = 256  # pixels per side of the rendered films
# Films per center of each split, and the part of them that shows an enlarged heart, which few films would.
SPLITS: dict[str, tuple[Split, int]] = {
    "training": (TRAINING_SPLIT, 2000),
    "validation": (VALIDATION_SPLIT, 200),
    "test": (TEST_SPLIT, 300),
}
ENLARGED = 0.3
_LARGE_HEART = "Cardiomegaly"
log = logging.getLogger(__name__)


def chosen_films(split: Split, count: int) -> list[PhantomFilm]:
    """Return the first `count` films per center of a split; of those without an enlarged heart, ENLARGED get one."""
    chosen = []
    for center in CENTERS:
        films = [case.film for case in sample_cases(split) if case.film.center == center][:count]
        random = np.random.default_rng(split.first)
        for film in films:
            findings = film.requests
            if random.uniform() < ENLARGED and all(each.finding != _LARGE_HEART for each in findings):
                findings = (*findings, Request(_LARGE_HEART, "", round(float(random.uniform()), 2)))
            chosen.append(PhantomFilm(center, film.seed, findings, NEWEST_DRAWING))
    return chosen


def drawn_film(film: PhantomFilm, side: int = SIDE) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the pixels (side, side) of a film, 0 to 255, and its outlines (side, side), a bit for each structure."""
    pixels, _ = render(film.seed, film.requests, film.center, side, film.drawing)
    masks = anatomy_masks(film.seed, film.requests, film.center, side, film.drawing)
    bits = sum((masks[name].astype(np.uint8) << bit for bit, name in enumerate(STRUCTURES)), np.uint8(0))
    return np.rint(pixels * 255).astype(np.uint8), np.asarray(bits, np.uint8)


def save_films(films: Iterable[PhantomFilm], target: Path) -> None:
    """Save films as an array (n, 2, SIDE, SIDE): pixels and outlines."""
    drawn = np.stack([np.stack(drawn_film(film)) for film in films])
    with atomic_write(target) as partial, partial.open("wb") as file:
        np.save(file, drawn)


def main() -> None:
    """Render the splits that are missing."""
    parser = argparse.ArgumentParser(prog="python -m explorer.workshop.shipping.anatomy_films", description=__doc__)
    parser.add_argument("--run", type=Path, required=True, help="folder of films and trainings")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    options.run.mkdir(parents=True, exist_ok=True)
    for name, (split, count) in SPLITS.items():
        target = options.run / f"{name}.npy"
        if not target.exists():
            save_films(chosen_films(split, count), target)
            log.info("%s films rendered", name)


if __name__ == "__main__":
    main()
