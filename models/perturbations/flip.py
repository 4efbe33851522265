"""Mirrors a film: what must not matter to a finding without a side, and moves one that has a side."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def mirror(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Exchange left and right."""
    return pixels[:, ::-1]


FLIP = Perturbation("flip", "Mirrored", "CXR-LT 2026, section 2.5: random flipping at test time", mirror, mirrors=True)
