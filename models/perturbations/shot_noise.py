"""Counts each gray as light quanta: few quanta make noise, most in bright areas."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def count_quanta(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Draw each gray from the Poisson distribution of gray times `dial` quanta."""
    counted = random.poisson(np.clip(pixels, 0, 1) * dial) / dial
    return counted.astype(np.float32)


SHOT_NOISE = Perturbation(
    "shot-noise",
    "Shot noise",
    "MedMNIST-C, shot noise: Di Salvo et al., arXiv 2406.17536",
    count_quanta,
    "quanta at white",
    1e6,
    2.0,
    (60, 25, 18, 10, 5),
)
