"""Reduces a film's resolution, and enlarges it again: smoothly, or in visible squares."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation
from models.perturbations.resample import resized

MEDMNIST_SIDE = 224
DIAL = "pixels along the longer side"


def reduce_smoothly(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Average the film to `dial` pixels along its longer side, and interpolate between them."""
    return resized(_reduced(pixels, dial), *pixels.shape)


def reduce_to_squares(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Average the film to `dial` pixels along its longer side, and show each as a square."""
    return resized(_reduced(pixels, dial), *pixels.shape, smooth=False)


def _reduced(pixels: Float32, dial: float) -> Float32:
    scale = min(1.0, dial / max(pixels.shape))
    height, width = (max(1, round(side * scale)) for side in pixels.shape)
    return resized(pixels, height, width, smooth=False)


RESOLUTION = Perturbation(
    "resolution", "Lower resolution", "box average, then linear interpolation", reduce_smoothly, DIAL, 512, 8
)
PIXELATION = Perturbation(
    "pixelation",
    "Pixelated",
    "MedMNIST-C, pixelate: Di Salvo et al., arXiv 2406.17536",
    reduce_to_squares,
    DIAL,
    512,
    8,
    tuple(MEDMNIST_SIDE * share for share in (0.30, 0.25, 0.20, 0.15, 0.10)),
)
