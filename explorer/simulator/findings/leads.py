"""Draw ECG electrodes on the skin and their cables."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.wires import Point3D, add_plate, add_tube, ellipse_loop, smooth_course, union_mask
from explorer.simulator.shapes import ellipsoid
from models.array_types import Bools

# The clip around the snap, seen from the front; cm.
_CLIP = np.array([[0.0, -0.5, 0.0], [0.9, -0.45, 0.0], [1.2, 0.0, 0.0], [0.9, 0.45, 0.0], [0.0, 0.5, 0.0]])


def electrodes(chest: Chest, severity: float, random: np.random.Generator) -> Bools:
    """Draw one to five electrodes, each a snap in a clip with a cable that leaves the film."""
    right, top, left, bottom = chest.marks.heart
    wide, skin = chest.form.half_width, chest.form.half_depth
    high = chest.marks.clavicles["right"][0, 1] + 2.0
    places = [
        (-0.72 * wide, high, -1.0),
        (0.72 * wide, high - 0.5, 1.0),
        (0.66 * wide, bottom - 1.5, 1.0),
        (-0.62 * wide, bottom - 1.0, -1.0),
        (0.1 * wide, (top + bottom) / 2, 1.0),
    ]
    count = min(5, int(1 + 4.2 * severity))
    masks = []
    for pick in random.permutation(5)[:count]:
        x, y, away = places[pick]
        at = (x + float(random.normal(0, 1.0)), y + float(random.normal(0, 1.0)), skin)
        masks.append(_electrode(chest, at, away, severity, random))
    return union_mask(masks)


def _electrode(chest: Chest, at: Point3D, away: float, severity: float, random: np.random.Generator) -> Bools:
    x, y, z = at
    low = chest.marks.heart[3]
    exit_x = away * (chest.form.half_width + 12.0)
    cable = smooth_course(
        [
            at,
            (x + away * 1.2, y + float(random.uniform(0.3, 1.2)), z),
            (x + away * float(random.uniform(3, 6)), y + float(random.uniform(1.5, 5)), z),
            ((x + exit_x) / 2 + float(random.normal(0, 2)), (y + low) / 2 + float(random.uniform(2, 7)), z),
            (exit_x, low + float(random.uniform(-8, 6)), z),
        ],
        0.6,
    )
    metal = 0.2 + 0.12 * severity
    seen = add_tube(chest, cable, 0.1, metal, 0.6)
    seen |= add_plate(chest, ellipsoid(chest.beam, at, (0.42, 0.42, 0.2)), 0.25 + 0.3 * severity)
    seen |= add_tube(chest, ellipse_loop(at, 0.75, 0.75, 0.0), 0.05, 0.25)
    clip = np.array(at) + _CLIP * [away, 1, 1]
    return seen | add_tube(chest, clip, 0.06, 0.5 + 0.3 * severity)
