"""Puts a film into a black frame, as a screenshot or a padded export does."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation
from models.perturbations.resample import resized

FRAME = 0.08  # share of each side's length at each end


def frame(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Shrink the film, and surround it with black to its old size."""
    height, width = pixels.shape
    top, left = round(FRAME * height), round(FRAME * width)
    framed = np.zeros_like(pixels)
    framed[top : height - top, left : width - left] = resized(pixels, height - 2 * top, width - 2 * left)
    return framed


BLACK_BORDER = Perturbation("black-border", "Black border", "padding of an export to another shape", frame)
