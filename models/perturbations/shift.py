"""Shifts a film sideways and along, as a patient who stands off center."""

from __future__ import annotations

import math

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation
from models.perturbations.resample import moved


def shift(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Shift by `dial`, a share of the longer side, in a random direction."""
    direction = 2 * math.pi * random.random()
    distance = dial * max(pixels.shape)
    return moved(pixels, (1, 0, distance * math.cos(direction), 0, 1, distance * math.sin(direction)))


SHIFT = Perturbation(
    "shift", "Shifted", "translation; what comes in is air", shift, "share of the longer side", 0.0005, 0.3
)
