"""Draw tubes and wires: smooth courses through a few points, and their effect on the layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from explorer.simulator.chest import Chest, Points
from explorer.simulator.shapes import curved_tube
from models.array_types import Bools, Float32

Point3D = tuple[float, float, float]


def smooth_course(through: Sequence[Point3D] | Points, step: float = 0.5) -> Points:
    """Return a smooth curve (n, 3) through the points, with about one point every `step` cm."""
    points = np.asarray(through, np.float64)
    chords = np.linalg.norm(np.diff(points, axis=0), axis=1).clip(0.01)
    way = np.r_[0.0, np.cumsum(np.sqrt(chords))]  # centripetal: no loops, little overshoot
    fine = np.linspace(0, way[-1], max(3, int(chords.sum() / step) + 2))
    return np.asarray(CubicSpline(way, points, bc_type="natural")(fine))


def point_at(line: Points, share: float) -> Point3D:
    """Return the point at a fraction of a line's points."""
    x, y, z = line[round(share * (len(line) - 1))]
    return float(x), float(y), float(z)


def ellipse_loop(center: Point3D, half_width: float, half_height: float, tilt: float, points: int = 24) -> Points:
    """Return a closed ellipse (points, 3) in the film plane, rotated by `tilt` radians."""
    turn = np.linspace(0, 2 * np.pi, points)
    dx, dy = half_width * np.cos(turn), half_height * np.sin(turn)
    cos, sin = np.cos(tilt), np.sin(tilt)
    return np.stack([center[0] + dx * cos - dy * sin, center[1] + dx * sin + dy * cos, np.full(points, center[2])], 1)


def add_tube(
    chest: Chest, line: Points, radius: NDArray[np.floating] | float, metal: float, wall: float | None = None
) -> Bools:
    """Draw a tube along a line into the chest, with this fraction of metal, and return its mask."""
    path = curved_tube(chest.beam, line, radius, wall)
    chest.metal += np.float32(metal) * path
    return path > 0


def add_plate(chest: Chest, path: Float32, metal: float) -> Bools:
    """Draw a thick object with this path into the chest, and return its mask."""
    chest.metal += np.float32(metal) * path
    return path > 0


def union_mask(masks: Sequence[Bools]) -> Bools:
    """Return the union of the masks."""
    return np.asarray(np.logical_or.reduce(masks))
