"""A film changed at the viewer's request: inverted or turned, and it says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from models.radiograph import Radiograph

Remedy = Literal["invert", "turn left", "turn right", "turn around"]

# Quarter turns to the left, as numpy counts them.
TURNS: dict[Remedy, int] = {"turn left": 1, "turn around": 2, "turn right": 3}
NOTES: dict[Remedy, str] = {
    "invert": "inverted on request",
    "turn left": "turned left on request",
    "turn around": "turned around on request",
    "turn right": "turned right on request",
}


def amended(radiograph: Radiograph, remedy: Remedy) -> Radiograph:
    """The film after a remedy: pixels changed, spacing turned with them, a note added; `original_size` as stored.

    Once it is turned, what the file said of its sides holds no more: they are assumed.
    """
    notes = (*radiograph.notes, NOTES[remedy])
    if remedy == "invert":
        return replace(radiograph, pixels=1 - radiograph.pixels, notes=notes)
    pixels, spacing = np.ascontiguousarray(np.rot90(radiograph.pixels, TURNS[remedy])), radiograph.spacing_mm
    if spacing is not None and TURNS[remedy] % 2:
        spacing = spacing[::-1]
    return replace(radiograph, pixels=pixels, spacing_mm=spacing, sides="assumed", notes=notes)
