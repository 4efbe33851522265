"""Trachea and main bronchi."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.heart import carina_position
from explorer.simulator.anatomy.lines import smooth_line
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.shapes import curved_tube
from models.array_types import Float32

_DEEP = np.float32(1.3)  # depth of the trachea relative to its width
_AIR = {"F": 0.86, "M": 1.0}  # cm, radius of the trachea


def airway(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the air in the trachea and main bronchi, down into the lower lobes."""
    wide = _AIR[beam.patient.sex]
    paths = [_trachea(form, beam)]
    for side, radius in (("right", 0.74), ("left", 0.62)):
        middle = smooth_line(main_bronchus(form, side))
        paths.append(curved_tube(beam, middle, np.linspace(radius * wide / 0.92, 0.36, len(middle))))
    return np.asarray(_DEEP * np.maximum.reduce(paths), np.float32)


def trachea(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the air in the trachea alone."""
    return np.asarray(_DEEP * _trachea(form, beam), np.float32)


def main_bronchus(form: Form, side: str) -> Points:
    """Return the center line of a main bronchus and its continuation; the right one is steeper and shorter."""
    x, y, z = carina_position(form)
    if side == "right":
        return np.array(
            [
                (x, y - 0.5, z),
                (x - 1.3, y + 0.9, z),
                (x - 2.4, y + 2.2, z),
                (x - 3.2, y + 4.2, z - 0.3),
                (x - 3.9, y + 6.5, z - 1),
            ]
        )
    return np.array(
        [
            (x, y - 0.5, z),
            (x + 1.7, y + 0.9, z),
            (x + 3.4, y + 2.1, z - 0.4),
            (x + 4.4, y + 3.6, z - 1),
            (x + 5.2, y + 6.5, z - 2),
        ]
    )


def _trachea(form: Form, beam: Beam) -> Float32:
    return curved_tube(beam, smooth_line(_windpipe(form)), _AIR[beam.patient.sex])


def _windpipe(form: Form) -> Points:
    """Return the trachea's center line: straight, then displaced to the right by the arch."""
    x, y, z = carina_position(form)
    push = 0.25 + 0.5 * form.aorta_stretch - 0.4 * form.spine_bend
    return np.array(
        [
            (0.3 * form.trachea_push, form.apex - 9, 1.5),
            (form.trachea_push, form.apex - 1, 0.8),
            (x - push, y - 2.2, -1.0),
            (x, y, z),
        ]
    )
