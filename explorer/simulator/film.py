"""From the patient's attenuation to the film: detector, processing, collimator, markers."""

from __future__ import annotations

import numpy as np

from explorer.simulator.beam import Beam
from explorer.simulator.collimator import collimate
from explorer.simulator.detector import detect_signal
from explorer.simulator.display import display_gray
from explorer.simulator.markers import add_markers
from models.array_types import Float32


def expose(attenuation: Float32, coarse: Float32, beam: Beam) -> Float32:
    """Return the film (size, size) in [0, 1], dense is white.

    Scatter and display range come from `coarse`, the healthy patient's attenuation on a small grid, so that a finding
    changes the film only where it is.
    """
    film = display_gray(detect_signal(attenuation, coarse, beam), coarse, beam)
    return np.asarray(add_markers(collimate(film, beam), beam).clip(0, 1), np.float32)
