"""Makes single pixels black or white, as defects of a detector do."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def add_impulses(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Make each pixel black or white with the chance `dial`, both equally often."""
    drawn = random.random(pixels.shape, np.float32)
    changed = np.where(drawn < dial / 2, np.float32(0), pixels)
    return np.where(drawn > 1 - dial / 2, np.float32(1), changed)


IMPULSE_NOISE = Perturbation(
    "impulse-noise",
    "Defective pixels",
    "MedMNIST-C, impulse noise: Di Salvo et al., arXiv 2406.17536",
    add_impulses,
    "share of the pixels",
    0.00001,
    0.5,
    (0.01, 0.03, 0.06, 0.09, 0.17),
)
