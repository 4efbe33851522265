"""Makes a film brighter or darker by a factor."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def multiply(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Multiply every gray by `dial`."""
    return pixels * np.float32(dial)


SOURCE = "MedMNIST-C, brightness: Di Salvo et al., arXiv 2406.17536"
DIAL = "factor of every gray"
BRIGHTER = Perturbation("brightness-up", "Brighter", SOURCE, multiply, DIAL, 1.001, 4.0, (1.1, 1.2, 1.3, 1.4, 1.5))
DARKER = Perturbation("brightness-down", "Darker", SOURCE, multiply, DIAL, 0.999, 0.1, (0.9, 0.8, 0.7, 0.6, 0.5))
