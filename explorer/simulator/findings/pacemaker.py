"""Draw pacemakers and defibrillators: the subcutaneous generator and the leads to the right heart."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.veins import course_to_cava, venous_angle
from explorer.simulator.findings.wires import Point3D, add_plate, add_tube, ellipse_loop, point_at, smooth_course
from explorer.simulator.shapes import smooth_step
from models.array_types import Bools, Float32


def pacemaker(chest: Chest, severity: float, random: np.random.Generator) -> Bools:
    """Draw a generator below a clavicle, usually the left, with a ventricular lead and usually an atrial one."""
    side = "left" if random.uniform() < 0.85 else "right"
    sign = 1.0 if side == "left" else -1.0
    x, y, _ = point_at(chest.marks.clavicles[side], 0.6)
    at = (x, y + float(random.uniform(4.5, 5.5)), 7.0)
    seen = _generator(chest, at, sign, severity)
    defibrillator = severity > 0.7 and random.uniform() < 0.5
    ventricle = _lead(chest, at, sign, _apex(chest), random)
    seen |= add_tube(chest, ventricle, 0.09, 0.45)
    seen |= add_tube(chest, ventricle[-3:], 0.12, 0.9)
    if defibrillator:  # the shock coil
        seen |= add_tube(chest, ventricle[-14:-4], 0.17, 0.9)
    if random.uniform() < 0.75:
        atrium = _lead(chest, at, sign, _appendage(chest), random)
        seen |= add_tube(chest, atrium, 0.09, 0.45) | add_tube(chest, atrium[-3:], 0.12, 0.9)
    return seen


def _generator(chest: Chest, at: Point3D, sign: float, severity: float) -> Bools:
    """Draw a flat titanium generator with rounded corners; its battery and circuit are denser than its header."""
    x, y = chest.beam.at(at[2])
    half = 1.95 + 0.4 * severity
    dx, dy = sign * (x - at[0]), y - at[1]
    dx, dy = dx * 0.97 + dy * 0.25, dy * 0.97 - dx * 0.25
    box = _rounded_square(dx / half, (dy - 0.2) / (half * 0.95))
    battery = _rounded_square(dx / (0.86 * half), (dy - 0.55 * half) / (0.42 * half))
    circuit = _rounded_square((dx + 0.25 * half) / (0.5 * half), (dy + 0.3 * half) / (0.3 * half))
    header = _rounded_square(dx / (half * 0.8), (dy + half * 0.98) / (half * 0.3))
    seen = add_plate(chest, 0.17 * box + 0.13 * battery + 0.09 * circuit + 0.05 * header, 1.0)
    screws = [(at[0] + sign * 0.5 * half, at[1] - half, at[2]), (at[0] - sign * 0.2, at[1] - half, at[2])]
    for screw in screws:
        seen |= add_tube(chest, ellipse_loop(screw, 0.22, 0.12, 0.0, 8), 0.08, 0.8)
    return seen


def _rounded_square(u: Float32, v: Float32) -> Float32:
    """Return 1 inside a square of half side 1 with rounded corners, and 0 outside."""
    return 1 - smooth_step(np.abs(u) ** 3 + np.abs(v) ** 3, 0.86, 1.0)


def _lead(chest: Chest, can: Point3D, sign: float, end: Points, random: np.random.Generator) -> Points:
    """Return the lead from the generator, looped once around it, through the veins to `end` (n, 3)."""
    x, y, _ = point_at(chest.marks.clavicles["left" if sign > 0 else "right"], 0.4)
    wide, low = float(random.uniform(0.6, 0.9)), can[1] - 2.2
    middle = can[0] - sign * (1.6 + wide)
    slack = [
        (can[0] - sign * 0.4, low - 0.1, 7.0),
        (middle + sign * wide, low - 0.1, 7.0),
        (middle, low + wide, 7.0),
        (middle - sign * wide, low - 0.2, 6.5),
    ]
    cava = course_to_cava(chest, sign, random)
    atrium = (cava[-1][0] + 0.1, chest.marks.carina[1] + 2.0, 1.0)
    return smooth_course(
        [*slack, (x, y + 0.8, 4.0), venous_angle(chest, sign, random), *cava, atrium, *map(tuple, end)], 0.45
    )


def _apex(chest: Chest) -> Points:
    """Return the course through the right atrium along the floor of the right ventricle to its apex."""
    right, top, left, bottom = chest.marks.heart
    wide, tall = left - right, bottom - top
    return np.array(
        [
            (right + 0.17 * wide, top + 0.66 * tall, 2.0),
            (right + 0.3 * wide, top + 0.86 * tall, 4.0),
            (right + 0.55 * wide, top + 0.9 * tall, 5.0),
            (right + 0.74 * wide, top + 0.86 * tall, 6.0),
        ]
    )


def _appendage(chest: Chest) -> Points:
    """Return the J-shaped course into the right atrium and up into its appendage."""
    right, top, left, bottom = chest.marks.heart
    wide, tall = left - right, bottom - top
    return np.array(
        [
            (right + 0.16 * wide, top + 0.5 * tall, 2.0),
            (right + 0.21 * wide, top + 0.6 * tall, 4.0),
            (right + 0.29 * wide, top + 0.55 * tall, 5.0),
            (right + 0.31 * wide, top + 0.42 * tall, 5.5),
        ]
    )
