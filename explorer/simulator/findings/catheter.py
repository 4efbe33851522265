"""Draw central venous catheters: jugular, subclavian, arm or port, ending in the superior vena cava.

The tip lies in the superior vena cava or at the cavoatrial junction, about two vertebral bodies below the carina
(Baskin et al., J Vasc Interv Radiol 2008).
"""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.veins import course_to_cava, venous_angle
from explorer.simulator.findings.wires import (
    Point3D,
    add_plate,
    add_tube,
    ellipse_loop,
    point_at,
    smooth_course,
    union_mask,
)
from explorer.simulator.request import Request
from explorer.simulator.shapes import ellipsoid
from models.array_types import Bools

_KINDS = ("jugular", "subclavian", "port", "arm")


def central_venous_catheter(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw a catheter entering on the requested side: thin and faint when subtle, thick or a port when obvious."""
    severity = float(request.severity or 0)
    sign = -1.0 if request.side == "right" else 1.0
    weights = np.array([0.4, 0.25, 0.05 + 0.45 * severity, 0.35 * (1 - severity)])
    kind = str(random.choice(_KINDS, p=weights / weights.sum()))
    radius = (0.058 + 0.062 * severity) * (0.85 if kind == "arm" else 1.0)
    metal = 0.44 + 0.26 * severity
    entry = _entry(chest, kind, sign, random)
    masks = [add_tube(chest, smooth_course([*entry, *_central(chest, sign, random)]), radius, metal, 0.55)]
    if kind == "port":
        masks.append(_port(chest, entry[0], severity, random))
    if kind in ("jugular", "subclavian"):
        masks.append(_hub(chest, entry[0], entry[1], radius, metal, random))
    return union_mask(masks)


def _entry(chest: Chest, kind: str, sign: float, random: np.random.Generator) -> list[Point3D]:
    """Return the course from the entry to behind the sternal end of the clavicle."""
    clavicle = chest.marks.clavicles["right" if sign < 0 else "left"]
    bend = venous_angle(chest, sign, random)
    if kind == "jugular":
        top = bend[1] - float(random.uniform(4.0, 5.5))
        return [(bend[0] + sign * 1.3, top, 3.0), (bend[0] + sign * 0.5, (top + bend[1]) / 2, 2.5), bend]
    x, y, _ = point_at(clavicle, 0.5)
    under = (x, y + 1.2, 4.0)
    x, y, _ = point_at(clavicle, 0.25)
    over = (x, y + 0.1, 3.0)
    if kind == "subclavian":
        return [(under[0] + sign * 2.6, under[1] + 0.5, 5.0), under, over, bend]
    if kind == "port":
        pocket = (under[0] + sign * float(random.uniform(-0.5, 1.5)), under[1] + float(random.uniform(4.0, 6.0)), 7.0)
        rise, top = 0.5 * under[0] + 0.5 * bend[0], bend[1] - float(random.uniform(0.9, 1.6))
        neck = [(rise, top + 0.9, 5.0), (bend[0] + sign * 0.9, top + 0.1, 4.5)]
        return [pocket, (under[0] - sign * 0.2, under[1] + 1.4, 6.0), *neck, bend]
    arm = float(clavicle[-1, 0]) + sign * 2.0
    shoulder = (0.4 * arm + 0.6 * under[0], under[1] + 1.2, 1.0)
    return [(arm + sign * 2.5, under[1] + 11.0, 0.0), (arm, under[1] + 4.5, 0.0), shoulder, over, bend]


def _central(chest: Chest, sign: float, random: np.random.Generator) -> list[Point3D]:
    """Return the course from behind the clavicle down the superior vena cava to the tip."""
    way = course_to_cava(chest, sign, random)
    x, y, z = way[-1]
    tip = max(chest.marks.carina[1] + float(random.uniform(1.0, 5.0)), y + 2.0)
    return [*way, (x + 0.1, (y + tip) / 2, z), (x + float(random.uniform(-0.2, 0.3)), tip, z)]


def _port(chest: Chest, at: Point3D, severity: float, random: np.random.Generator) -> Bools:
    """Draw the subcutaneous port: a titanium or plastic chamber with a ring."""
    radius = float(random.uniform(1.0, 1.3))
    flat = float(random.uniform(0.8, 1.0))
    ring = add_tube(chest, ellipse_loop(at, radius, radius * flat, 0.4), 0.16, 0.35 + 0.3 * severity)
    drum = add_plate(chest, ellipsoid(chest.beam, at, (radius, radius * flat, 0.35)), 0.12 + 0.2 * severity)
    inner = add_tube(chest, ellipse_loop(at, radius * 0.5, radius * 0.5 * flat, 0.4), 0.1, 0.3 + 0.3 * severity)
    return ring | drum | inner


def _hub(chest: Chest, at: Point3D, to: Point3D, radius: float, metal: float, random: np.random.Generator) -> Bools:
    """Draw the lumina, which separate outside the skin and end in hubs."""
    away = np.subtract(at, to)[:2] / np.linalg.norm(np.subtract(at, to)[:2])
    masks = []
    for lean in (-0.4, 0.4):
        way = np.array([away[0] - lean * away[1], away[1] + lean * away[0], 0.0])
        points: Points = np.array(at)[None] + np.linspace(0, float(random.uniform(1.6, 2.6)), 6)[:, None] * way[None]
        masks.append(add_tube(chest, points, radius * 0.8, metal * 0.8))
    return union_mask(masks)


CATHETER = {"Central Venous Catheter": DrawnFinding(central_venous_catheter)}
