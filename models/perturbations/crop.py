"""Cuts off a film's margins, and enlarges the rest to the same size."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation
from models.perturbations.resample import resized


def crop(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Cut off `dial`, a share of each side's length, split at random between its two ends."""
    height, width = pixels.shape
    top, left = (random.random() * dial * side for side in (height, width))
    return resized(pixels, height, width, (left, top, left + width * (1 - dial), top + height * (1 - dial)))


CROP = Perturbation(
    "crop",
    "Cropped",
    "random crop of ImageNet training: Szegedy et al., CVPR 2015, section 6",
    crop,
    "share of each side cut off",
    0.001,
    0.5,
)
