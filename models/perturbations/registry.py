"""Lists the kinds of perturbations, and the dials of their five strengths."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from models.perturbations.black_border import BLACK_BORDER
from models.perturbations.brightness import BRIGHTER, DARKER
from models.perturbations.collimation import COLLIMATION
from models.perturbations.contrast import LESS_CONTRAST, MORE_CONTRAST
from models.perturbations.crop import CROP
from models.perturbations.detector_blur import DETECTOR_BLUR
from models.perturbations.flip import FLIP
from models.perturbations.gamma import GAMMA_DOWN, GAMMA_UP
from models.perturbations.gaussian_noise import GAUSSIAN_NOISE
from models.perturbations.impulse_noise import IMPULSE_NOISE
from models.perturbations.inversion import INVERSION
from models.perturbations.jpeg import JPEG
from models.perturbations.kind import Perturbation
from models.perturbations.marker import MARKER
from models.perturbations.motion_blur import MOTION_BLUR
from models.perturbations.quantum_noise import QUANTUM_NOISE
from models.perturbations.resolution import PIXELATION, RESOLUTION
from models.perturbations.rotation import ROTATION
from models.perturbations.shift import SHIFT
from models.perturbations.shot_noise import SHOT_NOISE
from models.perturbations.speckle_noise import SPECKLE_NOISE
from models.perturbations.text import TEXT

STRENGTHS = (1, 2, 3, 4, 5)
STRENGTHS_FILE = Path(__file__).with_name("strengths.toml")
# Structural similarity to the film itself, on average, at each strength: every kind with a dial costs about the same.
SIMILARITIES = (0.97, 0.94, 0.90, 0.86, 0.82)

# First where the body is, then the gray scale, noise, sharpness, and what is on the film beside the body.
PERTURBATIONS: Mapping[str, Perturbation] = {
    kind.name: kind
    for kind in (
        *(FLIP, ROTATION, SHIFT, CROP),
        *(BRIGHTER, DARKER, MORE_CONTRAST, LESS_CONTRAST, GAMMA_UP, GAMMA_DOWN, INVERSION),
        *(GAUSSIAN_NOISE, QUANTUM_NOISE, SPECKLE_NOISE, SHOT_NOISE, IMPULSE_NOISE),
        *(DETECTOR_BLUR, MOTION_BLUR, RESOLUTION, PIXELATION, JPEG),
        *(MARKER, TEXT, COLLIMATION, BLACK_BORDER),
    )
}


@cache
def matched_dials() -> Mapping[str, tuple[float, ...]]:
    """Return the dials of the five strengths by kind, matched by structural similarity (see `match.py`)."""
    table = tomllib.loads(STRENGTHS_FILE.read_text(encoding="utf-8"))
    return {name: tuple(map(float, dials)) for name, dials in table["dials"].items()}
