"""Burns lines of text into a film, as a workstation's export does."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.drawn_text import with_text
from models.perturbations.kind import Perturbation

LINES = ("CHEST PA", "110 kV  2.5 mAs", "SID 180 cm")


def write(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Write three lines into a random corner."""
    left = 0.02 if random.random() < 0.5 else 0.7
    top = 0.02 if random.random() < 0.5 else 0.87
    for number, line in enumerate(LINES):
        pixels = with_text(pixels, line, left, top + 0.04 * number, 0.032)
    return pixels


TEXT = Perturbation("text", "Burned-in text", "overlays of exported films, DICOM PS3.3, C.7.6.1.1.5", write)
