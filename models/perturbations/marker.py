"""Burns a side marker into a film, as a lead letter does."""

from __future__ import annotations

import numpy as np

from models.array_types import Float32
from models.perturbations.drawn_text import with_text
from models.perturbations.kind import Perturbation


def mark(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Put an R into the upper left corner, or an L into the upper right: where they belong."""
    is_right = random.random() < 0.5
    return with_text(pixels, "R" if is_right else "L", 0.06 if is_right else 0.9, 0.05, 0.07)


MARKER = Perturbation(
    "marker", "Side marker", "lead markers as shortcuts: Zech et al., PLOS Medicine 2018, discussion", mark
)
