"""Multiplies a film with noise."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def multiply_noise(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Multiply each pixel by 1 plus independent Gaussian noise with the standard deviation `dial`."""
    return pixels * (1 + np.float32(dial) * random.standard_normal(pixels.shape, np.float32))


SPECKLE_NOISE = Perturbation(
    "speckle-noise",
    "Speckle noise",
    "MedMNIST-C, speckle noise: Di Salvo et al., arXiv 2406.17536",
    multiply_noise,
    "standard deviation as a share of the gray",
    0.0005,
    1.0,
    (0.05, 0.15, 0.2, 0.35, 0.45),
)
