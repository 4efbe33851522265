"""Adds the noise of fewer X-ray quanta: strongest where the body absorbs most, which is bright on the film."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation

# Between the darkest and the brightest gray of a chest film, the exposure of the detector falls about a hundredfold:
# Bushberg et al., The Essential Physics of Medical Imaging, 3rd edition, section 7.10.
DECADES = 2.0


def add_quantum_noise(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Add noise whose standard deviation is `dial` at black and grows with the root of the absorption.

    A gray is the logarithm of the exposure. N quanta vary by the root of N, so their logarithm varies by 1 / root of N.
    """
    spread = np.float32(dial) * np.power(np.float32(10), np.float32(DECADES / 2) * np.clip(pixels, 0, 1))
    noisy: Float32 = pixels + spread * random.standard_normal(pixels.shape, np.float32)
    return noisy


QUANTUM_NOISE = Perturbation(
    "quantum-noise",
    "Quantum noise",
    "Poisson statistics of quanta, in the logarithm of the exposure",
    add_quantum_noise,
    "standard deviation of the gray at black",
    0.00005,
    0.1,
)
