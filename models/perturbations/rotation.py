"""Rotates a film about its center, as a patient who stands crooked."""

from __future__ import annotations

import math

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation, either_side
from models.perturbations.resample import moved


def rotate(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Rotate by `dial` degrees to a random side."""
    angle = math.radians(either_side(random) * dial)
    cosine, sine = math.cos(angle), math.sin(angle)
    x, y = (pixels.shape[1] - 1) / 2, (pixels.shape[0] - 1) / 2
    # Pillow maps pixel centers at (x + 0.5, y + 0.5).
    middle_x, middle_y = x + 0.5, y + 0.5
    shift_x = middle_x - cosine * middle_x - sine * middle_y
    shift_y = middle_y + sine * middle_x - cosine * middle_y
    return moved(pixels, (cosine, sine, shift_x, -sine, cosine, shift_y))


ROTATION = Perturbation(
    "rotation", "Rotated", "affine map about the film's center", rotate, "degrees to either side", 0.05, 45
)
