"""Draw tracheal, gastric and chest tubes, and heart valves."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.wires import Point3D, add_tube, ellipse_loop, smooth_course
from explorer.simulator.shapes import ellipsoid
from models.array_types import Bools


def endotracheal(chest: Chest, severity: float, random: np.random.Generator) -> Bools:
    """Draw an endotracheal tube with its tip 2 to 6 cm above the carina and a radiopaque line in its wall."""
    x, y, z = chest.marks.carina
    tip, lean = y - float(random.uniform(2.0, 6.0)), float(random.normal(0, 0.12))
    line = smooth_course([(x + lean - 0.5, tip - 16, z + 2), (x + lean - 0.2, tip - 7, z + 1), (x + lean, tip, z)])
    radius = 0.5
    seen = add_tube(chest, line, radius, 0.06 + 0.04 * severity, 0.22)
    stripe = line + np.array([float(random.choice((-1, 1))) * radius * 0.75, 0.0, 0.0])
    return seen | add_tube(chest, stripe, 0.06, 0.7 + 0.4 * severity)


def gastric(chest: Chest, severity: float, random: np.random.Generator) -> Bools:
    """Draw a gastric tube down the esophagus, behind the trachea and left of the midline, into the stomach."""
    x, y, z = chest.marks.carina
    gate = float(np.min(chest.marks.domes["left"][:, 1]))
    through = [
        (x + 0.1, y - 18.0, z - 1.5),
        (x + 0.5 + float(random.normal(0, 0.3)), y - 6.0, z - 2.0),
        (x + float(random.normal(0, 0.3)), y + 2.5, z - 2.0),
        (x + 0.9, gate - 2.0, z - 1.0),
        (x + 2.4, gate + 1.2, z),
        (x + float(random.uniform(3.5, 5.0)), gate + 4.0, z + 1.0),
        (x + float(random.uniform(4.0, 6.5)), gate + 8.0, z + 2.0),
    ]
    return add_tube(chest, smooth_course(through), 0.15 + 0.04 * severity, 0.2 + 0.15 * severity, 0.5)


def drain(chest: Chest, severity: float, random: np.random.Generator) -> Bools:
    """Draw a chest tube from the side wall up the pleural space; its radiopaque line has a gap at the last hole."""
    side = str(random.choice(("right", "left")))
    sign = -1.0 if side == "right" else 1.0
    wall = chest.marks.walls[side]
    enter = wall[int(0.6 * (len(wall) - 1))]
    half = abs(float(enter[0]))
    tip: Point3D = (
        sign * half * float(random.uniform(0.45, 0.6)),
        float(wall[0, 1]) + float(random.uniform(2, 5)),
        0.0,
    )
    line = smooth_course(
        [
            (sign * (half + 6.0), float(enter[1]) + 4.5, 2.0),
            (sign * (half + 0.5), float(enter[1]) + 0.5, 2.0),
            (sign * (half - 1.2), float(enter[1]) - 2.5, 1.0),
            (sign * half * 0.8, (float(enter[1]) + tip[1]) / 2, 0.0),
            tip,
        ]
    )
    radius = 0.34 + 0.1 * severity
    seen = add_tube(chest, line, radius, 0.04 + 0.04 * severity, 0.3)
    hole = max(2, len(line) - int(random.integers(6, 9)))
    offset = np.array([0.6 * radius * sign, 0.0, 0.0])
    seen |= add_tube(chest, line[:hole] + offset, 0.06, 0.35 + 0.4 * severity)
    return seen | add_tube(chest, line[hole + 1 :] + offset, 0.06, 0.35 + 0.4 * severity)


def valve(chest: Chest, severity: float, random: np.random.Generator) -> Bools:
    """Draw the ring and struts of a prosthetic aortic or mitral valve."""
    right, top, left, bottom = chest.marks.heart
    aortic = random.uniform() < 0.5
    share = (0.42, 0.38) if aortic else (0.6, 0.58)
    at = (right + share[0] * (left - right), top + share[1] * (bottom - top), 2.0)
    ring = ellipse_loop(at, 1.25, 0.45 if aortic else 0.75, 0.6 if aortic else 0.9)
    seen = add_tube(chest, ring, 0.07 + 0.06 * severity, 0.7)
    disk = ellipsoid(chest.beam, at, (1.15, 0.3, 0.15), 0.6) * 0.12
    chest.metal += disk
    return seen | (disk > 0)
