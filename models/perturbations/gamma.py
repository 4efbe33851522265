"""Bends a film's gray scale by a power, as another display curve does."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def bend(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Raise every gray in [0, 1] to the power `dial`."""
    return np.power(pixels, np.float32(dial))


SOURCE = "MedMNIST-C, gamma correction: Di Salvo et al., arXiv 2406.17536"
DIAL = "power of every gray"
GAMMA_UP = Perturbation("gamma-up", "Gamma above 1", SOURCE, bend, DIAL, 1.001, 6.0, (1.1, 1.2, 1.3, 1.4, 1.6))
GAMMA_DOWN = Perturbation("gamma-down", "Gamma below 1", SOURCE, bend, DIAL, 0.999, 0.05, (0.9, 0.8, 0.7, 0.6, 0.4))
