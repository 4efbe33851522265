"""The 24 small changes under which one film's scores are asked to hold: strength 1 of every kind that has strengths.

Each leaves a film a mean structural similarity of 0.97 to itself. Kinds without strengths are left out: mirroring moves
a finding's side, and the others are not small. What moves or covers the picture to a random side is done to both sides.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from models.perturbations.film import Level, levels, perturbed
from models.radiograph import Radiograph

# Kinds whose random direction takes the picture to one side.
SIDED = ("rotation", "shift", "crop", "collimation")


@dataclass(frozen=True, slots=True)
class SmallChange:
    """A level, as it is drawn for a film or, `reversed`, with left and right exchanged: rotated to the other side."""

    level: Level
    reversed: bool = False

    @property
    def name(self) -> str:
        """The name of the level, such as rotation-1, with "-reversed" if it is."""
        return f"{self.level.name}-reversed" if self.reversed else self.level.name

    def of(self, film: Radiograph, name: str) -> Radiograph:
        """Return a working film after the change; what is random depends only on `name`, as in `perturbed`."""
        if not self.reversed:
            return perturbed(film, self.level, name)
        return _mirrored(perturbed(_mirrored(film), self.level, name))


@cache
def small_changes() -> tuple[SmallChange, ...]:
    """Return the 24 changes, in the order of the registry."""
    return tuple(_changes())


def _changes() -> Iterator[SmallChange]:
    for level in levels():
        if level.strength == 1:
            yield SmallChange(level)
            if level.kind.name in SIDED:
                yield SmallChange(level, reversed=True)


def _mirrored(film: Radiograph) -> Radiograph:
    return replace(film, pixels=np.ascontiguousarray(film.pixels[:, ::-1]))
