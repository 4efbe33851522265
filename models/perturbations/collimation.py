"""Narrows the shutters of the collimator: the margins get no exposure."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation

SHUTTER_GRAY = 0.98  # unexposed detector is bright
SCATTER = 0.01  # share of the longer side over which the edge fades


def collimate(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Cover `dial`, a share of each side's length, split at random between its two ends."""
    fade = SCATTER * max(pixels.shape)
    rows, columns = (_open(side, dial, fade, random) for side in pixels.shape)
    seen: Float32 = rows[:, None] * columns
    covered: Float32 = seen * pixels + (1 - seen) * np.float32(SHUTTER_GRAY)
    return covered


def _open(side: int, dial: float, fade: float, random: np.random.Generator) -> Float32:
    """Return which share of the exposure each row or column (side,) gets."""
    first = random.random() * dial * side
    last = first + side * (1 - dial)
    places = np.arange(side) + 0.5
    share: Float32 = np.clip((places - first) / fade + 0.5, 0, 1) * np.clip((last - places) / fade + 0.5, 0, 1)
    return np.asarray(share, np.float32)


COLLIMATION = Perturbation(
    "collimation",
    "Collimated",
    "shutters of a collimator, DICOM PS3.3, C.8.7.3",
    collimate,
    "share of each side covered",
    0.001,
    0.6,
)
