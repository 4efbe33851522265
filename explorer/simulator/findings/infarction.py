"""Draw pulmonary infarction: Hampton's hump, a pleura-based wedge rounded toward the hilum, in the lower lung."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.shapes import noise_field, smooth_step
from models.array_types import Bools, Float32


def infarction(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw a hump on the wall, at the angle or on the dome, 2 to 6 cm wide at the pleura, without air bronchograms."""
    before = chest.attenuation()
    severity = float(request.severity or 0)
    side = requested_lungs(chest, request)[0]
    chest.fill(np.float32(0.28 + 0.37 * severity) * _hump(side, severity, random) * smooth_step(side.out, 0, 1.5))
    return changed_mask(chest, before, 0.15)


def _hump(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return 1 inside the hump and 0 outside: its base is on the wall, convex toward the hilum."""
    out, y = _base(side, random)
    towards = np.array([side.hilum[0] - out, side.hilum[1] - y])
    towards /= np.hypot(*towards)
    deep = np.float32(1.7 + 2.6 * severity)
    wide = np.float32(1.2 + 1.8 * severity)
    dx, dy = side.out - np.float32(out), side.y - np.float32(y)
    along = dx * np.float32(towards[0]) + dy * np.float32(towards[1])
    across = dy * np.float32(towards[0]) - dx * np.float32(towards[1])
    edge = np.float32(0.08) * noise_field(random, side.chest.beam, 1.3)
    far = 1 - (along / deep).clip(0) ** 2.2 - (np.abs(across) / wide) ** 2.2
    return smooth_step(far + edge, -0.2, 0.75)


def _base(side: LungView, random: np.random.Generator) -> tuple[float, float]:
    """Return a point on the pleura: the side wall in two of three cases, otherwise the diaphragm."""
    wall, share = float(random.uniform()) < 0.67, float(random.uniform())
    if wall:
        y = side.height(0.42 + 0.46 * share)
        return side.edge(y), y
    near, far = side.beside(side.height(0.8)), side.edge(side.height(0.8))
    out = near + (0.25 + 0.6 * share) * (far - near)
    return out, side.dome(out) + 0.3


INFARCTION = {"Infarction": DrawnFinding(infarction)}
