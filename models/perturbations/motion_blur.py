"""Blurs a film along one direction, as a patient who moves during the exposure."""

from __future__ import annotations

import math

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation

STEPS = 12  # at most, exposures along the path


def smear(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Average the film over a straight path of the length `dial`, a share of the longer side, in a random direction.

    The direction is mostly up and down, because breathing and heartbeat move the chest along the body.
    """
    direction = math.pi * (0.5 + (random.random() - 0.5) / 3)
    length = dial * max(pixels.shape)
    steps = max(2, min(STEPS, math.ceil(length) + 1))
    total = np.zeros_like(pixels)
    for share in np.linspace(-0.5, 0.5, steps):
        total += _shifted(pixels, share * length * math.sin(direction), share * length * math.cos(direction))
    return total / np.float32(steps)


def _shifted(pixels: Float32, down: float, right: float) -> Float32:
    """Return the film shifted by a fraction of pixels, its border repeated."""
    return _along(_along(pixels, down, 0), right, 1)


def _along(pixels: Float32, distance: float, axis: int) -> Float32:
    whole = math.floor(distance)
    part = np.float32(distance - whole)
    places = np.arange(pixels.shape[axis])
    last = pixels.shape[axis] - 1
    near = np.take(pixels, np.clip(places - whole, 0, last), axis)
    far = np.take(pixels, np.clip(places - whole - 1, 0, last), axis)
    return (1 - part) * near + part * far


MOTION_BLUR = Perturbation(
    "motion-blur",
    "Motion blur",
    "mean over a straight path: Hendrycks and Dietterich, ICLR 2019, section 3",
    smear,
    "length of the path, a share of the longer side",
    0.001,
    0.6,
)
