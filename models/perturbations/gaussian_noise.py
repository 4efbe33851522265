"""Adds noise of equal strength everywhere, as electronics do."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def add_noise(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Add independent Gaussian noise with the standard deviation `dial` to each pixel."""
    return pixels + np.float32(dial) * random.standard_normal(pixels.shape, np.float32)


GAUSSIAN_NOISE = Perturbation(
    "gaussian-noise",
    "Gaussian noise",
    "MedMNIST-C, Gaussian noise: Di Salvo et al., arXiv 2406.17536",
    add_noise,
    "standard deviation of the gray",
    0.0005,
    0.5,
    (0.04, 0.08, 0.12, 0.18, 0.26),
)
