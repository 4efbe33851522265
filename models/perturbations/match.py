"""Finds the dials at which all kinds leave the same structural similarity of films."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from models.perturbations.film import Level, perturbed
from models.perturbations.kind import Perturbation
from models.perturbations.registry import SIMILARITIES
from models.perturbations.similarity import structural_similarity
from models.radiograph import Radiograph

CLOSE, CLOSE_ENOUGH = 0.004, 0.02  # of a similarity to its target: what is sought, and what a dial in steps gives
MAX_HALVINGS = 14
DIGITS = 4


def mean_similarity(films: Mapping[str, Radiograph], kind: Perturbation, dial: float) -> float:
    """Return the mean structural similarity of working films, by name, to themselves after a change."""
    level = Level(kind, 1, dial)
    found = [structural_similarity(film.pixels, perturbed(film, level, name).pixels) for name, film in films.items()]
    return float(np.mean(found))


def dials_for(
    films: Mapping[str, Radiograph], kind: Perturbation, targets: Sequence[float] = SIMILARITIES
) -> tuple[float, ...]:
    """Return the dials whose mean similarity is within CLOSE_ENOUGH of each target, from `kind.least` to `kind.most`.

    Similarity falls from the one to the other. The range is halved on a logarithmic scale, because that suits factors.
    Raises ValueError if the range does not reach a target.
    """
    known: dict[float, float] = {}  # similarity by the logarithm of the dial: targets share their first halvings

    def similarity(place: float) -> float:
        if place not in known:
            known[place] = mean_similarity(films, kind, float(np.exp(place)))
        return known[place]

    def found(target: float) -> float:
        weak, strong = float(np.log(kind.least)), float(np.log(kind.most))
        for _ in range(MAX_HALVINGS):
            middle = (weak + strong) / 2
            if abs(similarity(middle) - target) <= CLOSE:
                break
            weak, strong = (middle, strong) if similarity(middle) > target else (weak, middle)
        nearest = min(known, key=lambda place: abs(known[place] - target))
        if abs(known[nearest] - target) > CLOSE_ENOUGH:
            raise ValueError(f"{kind.name} does not reach a similarity of {target} between its least and most dial.")
        return float(f"{np.exp(nearest):.{DIGITS}g}")

    return tuple(found(target) for target in targets)
