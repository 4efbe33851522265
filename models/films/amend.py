"""Inverts, turns or mirrors a film at the viewer's request and records it in the film's notes."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from models.radiograph import Radiograph

Remedy = Literal["invert", "turn left", "turn right", "turn around", "mirror"]

# Quarter turns counterclockwise, as numpy.rot90 counts them.
TURNS: dict[Remedy, int] = {"turn left": 1, "turn around": 2, "turn right": 3}
REMEDY_NOTES: dict[Remedy, str] = {
    "invert": "inverted on request",
    "turn left": "turned left on request",
    "turn around": "turned around on request",
    "turn right": "turned right on request",
    "mirror": "mirrored on request",
}


def apply_remedy(radiograph: Radiograph, remedy: Remedy) -> Radiograph:
    """Return the film after `remedy`, with its spacing turned to match and a note added; `original_size` is unchanged.

    After a turn or a reflection, the file's statement about sides no longer applies, so `sides` becomes "assumed".
    """
    notes = (*radiograph.notes, REMEDY_NOTES[remedy])
    if remedy == "invert":
        return replace(radiograph, pixels=1 - radiograph.pixels, notes=notes)
    turns = TURNS.get(remedy, 0)
    moved = radiograph.pixels[:, ::-1] if remedy == "mirror" else np.rot90(radiograph.pixels, turns)
    spacing = radiograph.spacing_mm
    if spacing is not None and turns % 2:
        spacing = spacing[::-1]
    pixels = np.ascontiguousarray(moved)
    return replace(radiograph, pixels=pixels, spacing_mm=spacing, sides="assumed", notes=notes)
