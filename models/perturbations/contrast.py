"""Stretches or flattens a film's contrast about its mean gray."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def stretch(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Multiply every difference from the mean gray by `dial`."""
    mean = np.float32(pixels.mean(dtype=np.float64))
    return mean + np.float32(dial) * (pixels - mean)


SOURCE = "MedMNIST-C, contrast: Di Salvo et al., arXiv 2406.17536"
DIAL = "factor of the difference from the mean gray"
MORE_CONTRAST = Perturbation(
    "contrast-up", "More contrast", SOURCE, stretch, DIAL, 1.001, 6.0, (1.1, 1.2, 1.3, 1.4, 1.6)
)
LESS_CONTRAST = Perturbation(
    "contrast-down", "Less contrast", SOURCE, stretch, DIAL, 0.999, 0.05, (0.9, 0.8, 0.7, 0.6, 0.4)
)
