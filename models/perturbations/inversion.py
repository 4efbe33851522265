"""Inverts a film's gray scale, as MONOCHROME1 read as MONOCHROME2."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.kind import Perturbation


def invert(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Exchange black and white."""
    return 1 - pixels


INVERSION = Perturbation("inversion", "Inverted gray", "DICOM PS3.3, C.7.6.3.1.2: photometric interpretation", invert)
