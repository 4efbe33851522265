"""Blurs a film equally in all directions, as light that spreads in a detector's screen."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation

MEDMNIST_SIDE = 224
MEDMNIST_KERNELS = (3, 5, 7, 9, 11)  # pixels


def blur(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Filter with a Gaussian whose standard deviation is `dial`, a share of the longer side."""
    from scipy.ndimage import gaussian_filter  # SciPy takes a while to import, and the page lists kinds at its start

    blurred: Float32 = gaussian_filter(pixels, dial * max(pixels.shape), mode="nearest", truncate=3)
    return blurred


def _share(kernel: int) -> float:
    """Return the standard deviation that torchvision takes for a kernel, as a share of the side."""
    return (0.3 * ((kernel - 1) * 0.5 - 1) + 0.8) / MEDMNIST_SIDE


DETECTOR_BLUR = Perturbation(
    "detector-blur",
    "Detector blur",
    "MedMNIST-C, Gaussian blur: Di Salvo et al., arXiv 2406.17536",
    blur,
    "standard deviation, a share of the longer side",
    0.0002,
    0.1,
    tuple(map(_share, MEDMNIST_KERNELS)),
)
