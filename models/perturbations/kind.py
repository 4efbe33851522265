"""What a perturbation is: a change of a film with one dial, or without one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from models.array_types import Float32

# The film's pixels (h, w) in [0, 1] and the dial; what is random, such as the side, is drawn from the generator.
FilmChange = Callable[[Float32, float, np.random.Generator], Float32]


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One kind of change. `change` returns pixels of the same shape, which the caller clips to [0, 1].

    `dial` says what its number means; empty for a kind that is only on or off, whose number is ignored. `least` and
    `most` are the range of the dial, `least` being the weaker change. `severities` are the dials of MedMNIST-C's five
    severities for chest films (Di Salvo et al., arXiv 2406.17536, and its package), on films of 224 pixels; empty if
    it has no such kind. `mirrors`: the film's left and right are exchanged, so that a finding's side moves.
    """

    name: str
    title: str
    source: str
    change: FilmChange
    dial: str = ""
    least: float = 0.0
    most: float = 1.0
    severities: tuple[float, ...] = ()
    mirrors: bool = False

    @property
    def has_dial(self) -> bool:
        """Whether the change has strengths."""
        return bool(self.dial)


def either_side(random: np.random.Generator) -> int:
    """Return 1 or -1, equally often."""
    return 1 if random.random() < 0.5 else -1
