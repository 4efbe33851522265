"""Draw sternotomy wires, one below the other in the midline."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.wires import add_tube, ellipse_loop, union_mask
from explorer.simulator.request import Request
from models.array_types import Bools

_WIRE = 0.045  # cm, radius of number 6 steel wire (0.8 to 1 mm across)
_STEEL = 4.5  # relative to METAL, which is less dense


def sternotomy(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw four to seven loops around the sternum, each with a twisted end; subtle ones are few, thin and flat."""
    severity = float(request.severity or 0)
    collars = [line[0] for line in chest.marks.clavicles.values()]
    x, y, z = (float(np.mean([point[axis] for point in collars])) for axis in range(3))
    low = chest.marks.heart[3]
    count = int(round(3.5 + 2.5 * severity + random.uniform(-0.4, 0.6)))
    levels = np.linspace(y + 1.2, y + 0.86 * (low - y), count) + random.normal(0, 0.12 * (low - y) / count, count)
    thick, steel = _WIRE * (0.65 + 0.75 * severity), _STEEL * (0.7 + 0.3 * severity)
    width = float(random.uniform(0.85, 1.15))
    masks = []
    for number, level in enumerate(levels):
        half = width * (1.25 if number == 0 else 1.0) * float(random.uniform(0.85, 1.1))
        tall = float(random.uniform(0.12, 0.3)) * (0.6 + 0.8 * severity)
        middle = (x + float(random.normal(0, 0.1)), float(level), z)
        masks.append(add_tube(chest, ellipse_loop(middle, half, tall, float(random.normal(0, 0.12))), thick, steel))
        masks.append(add_tube(chest, _twist(middle, random), thick * 1.35, steel))
    return union_mask(masks)


def _twist(middle: tuple[float, float, float], random: np.random.Generator) -> np.ndarray:
    """Return the twisted end: a short twist that hangs from the loop near its middle, bent to one side."""
    t = np.linspace(0, 1, 14)
    length, lean = float(random.uniform(0.45, 0.9)), float(random.normal(0, 0.3))
    start = middle[0] + float(random.uniform(-0.35, 0.35))
    return np.stack(
        [
            start + lean * length * t**2 + 0.05 * np.sin(5 * np.pi * t),
            middle[1] - 0.2 + length * t,
            np.full(14, middle[2]),
        ],
        1,
    )


STERNOTOMY = {"Sternotomy": DrawnFinding(sternotomy)}
