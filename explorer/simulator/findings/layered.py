"""Draw layering fluid behind the lung of a supine patient: a veil without a level or meniscus.

Vessels stay visible. The dome loses its outline, the angle is blunt, and the thickest fluid shows as a band along
the side wall and an apical cap (Felson's principles).
"""

from __future__ import annotations

import numpy as np

from explorer.simulator.findings.side import LungView
from explorer.simulator.findings.texture import vertical_position
from explorer.simulator.shapes import smooth_step
from models.array_types import Float32

_FADE = 2.5  # cm past the midline over which it fades


def veil(side: LungView, severity: float) -> Float32:
    """Return the fraction (size, size) of each ray's lung in fluid, increasing toward the base."""
    reach = np.float32(0.9 - 1.15 * severity)  # height in the lung where it begins
    thick = np.float32(0.06 + 0.42 * severity) * smooth_step(vertical_position(side), float(reach), 1.1)
    return thick * smooth_step(side.out, 0, _FADE)


def recess(side: LungView, severity: float) -> Float32:
    """Return the fraction (size, size) near the dome and in the angle, where the pleural space is deepest."""
    above = side.floor - side.y
    dome = np.float32(0.2 + 0.6 * severity) * smooth_step(-above, -(0.8 + 4.2 * severity), 0.6)
    lateral = smooth_step(
        (side.out / side.outer.clip(1)).astype(np.float32), 0.95 - 0.95 * severity, 1.05 - 0.55 * severity
    )
    return dome * lateral * smooth_step(side.out, 0, _FADE)


def rind(side: LungView, severity: float) -> Float32:
    """Return the fraction (size, size) along the side wall, widest at the angle, and over the apex if large."""
    low = smooth_step(vertical_position(side), 0.95 - 0.75 * severity, 1.0)
    width = np.float32(0.15 + 0.55 * severity) * smooth_step(vertical_position(side), 0.75 - severity, 0.9)
    width = (
        width
        + np.float32(0.8 + 1.9 * severity) * smooth_step(vertical_position(side), 0.82 - 0.15 * severity, 1.0) ** 2
    )
    cap = np.float32(max(severity - 0.45, 0) * 2.6) * smooth_step(1 - vertical_position(side), 0.78, 0.95)
    from_wall = side.wall()
    wide = (width + cap).clip(0.05)
    most = np.maximum(low, smooth_step(cap, 0.1, 0.8))
    return np.float32(0.55 + 0.3 * severity) * most * smooth_step(-from_wall / wide, -1.35, -0.2) * (from_wall > 0)


def layered_fluid(side: LungView, severity: float) -> Float32:
    """Return the total fraction (size, size) of each ray's lung in fluid."""
    air = (1 - veil(side, severity)) * (1 - recess(side, severity)) * (1 - rind(side, severity))
    return np.asarray(1 - air, np.float32)
