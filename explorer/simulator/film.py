"""From the patient's attenuation to the film: detector, processing, collimator, markers."""

from __future__ import annotations

import numpy as np

from explorer.simulator.beam import Beam
from explorer.simulator.collimator import collimated
from explorer.simulator.detector import detected
from explorer.simulator.display import displayed
from explorer.simulator.markers import marked
from models.array_types import Float32


def expose(attenuation: Float32, coarse: Float32, beam: Beam) -> Float32:
    """Return the film (size, size) in [0, 1], dense is white.

    Scatter and display range come from `coarse`, the healthy patient's attenuation on a small grid, so that a finding
    changes the film only where it is.
    """
    film = displayed(detected(attenuation, coarse, beam), coarse, beam)
    return np.asarray(marked(collimated(film, beam), beam).clip(0, 1), np.float32)
