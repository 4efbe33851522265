"""Trace lines through the great veins, from behind a clavicle to the superior vena cava."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.wires import Point3D


def venous_angle(chest: Chest, sign: float, random: np.random.Generator) -> Point3D:
    """Return the junction of the jugular and subclavian veins, near the sternal end of the clavicle."""
    inner = chest.marks.clavicles["right" if sign < 0 else "left"][0]
    out = abs(float(inner[0])) + float(random.uniform(1.0, 1.6))
    return sign * out, float(inner[1]) - float(random.uniform(0.5, 1.1)), 2.0


def course_to_cava(chest: Chest, sign: float, random: np.random.Generator) -> list[Point3D]:
    """Return the course from there into the superior vena cava; from the left, it crosses the midline."""
    inner = chest.marks.clavicles["right" if sign < 0 else "left"][0]
    middle, y = chest.marks.carina[0], float(inner[1])
    cava = middle - float(random.uniform(2.1, 2.6))
    if sign < 0:
        return [(cava - 0.15, y + 1.6, 1.5), (cava, y + 3.2, 1.0)]
    dip = float(random.uniform(-0.3, 0.5))
    return [(middle + 0.9, y + 0.5 + dip, 2.0), (middle - 0.9, y + 1.3 + dip, 2.0), (cava + 0.15, y + 3.0, 1.5)]
