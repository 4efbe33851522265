"""Lines on a film: smooth courses through a few points, and what a tube or a wire along them does to the layers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from explorer.simulator.chest import Chest, Points
from explorer.simulator.shapes import curve
from models.array_types import Bools, Float32

Place = tuple[float, float, float]


def course(through: Sequence[Place] | Points, step: float = 0.5) -> Points:
    """A smooth curve (n, 3) through the points, a point about every `step` cm."""
    points = np.asarray(through, np.float64)
    chords = np.linalg.norm(np.diff(points, axis=0), axis=1).clip(0.01)
    way = np.r_[0.0, np.cumsum(np.sqrt(chords))]  # centripetal: no loops, little overshoot
    fine = np.linspace(0, way[-1], max(3, int(chords.sum() / step) + 2))
    return np.asarray(CubicSpline(way, points, bc_type="natural")(fine))


def along(line: Points, share: float) -> Place:
    """The point of a line at a share of its points."""
    x, y, z = line[round(share * (len(line) - 1))]
    return float(x), float(y), float(z)


def loop(center: Place, half_width: float, half_height: float, tilt: float, points: int = 24) -> Points:
    """A closed ellipse (points, 3) in the film's plane, turned by `tilt` radians."""
    turn = np.linspace(0, 2 * np.pi, points)
    dx, dy = half_width * np.cos(turn), half_height * np.sin(turn)
    cos, sin = np.cos(tilt), np.sin(tilt)
    return np.stack([center[0] + dx * cos - dy * sin, center[1] + dx * sin + dy * cos, np.full(points, center[2])], 1)


def lay(
    chest: Chest, line: Points, radius: NDArray[np.floating] | float, metal: float, wall: float | None = None
) -> Bools:
    """Lay a tube of which this share is metal along a line into the chest. Returns where it is."""
    path = curve(chest.beam, line, radius, wall)
    chest.metal += np.float32(metal) * path
    return path > 0


def plate(chest: Chest, path: Float32, metal: float) -> Bools:
    """Put something thick of this path into the chest. Returns where it is."""
    chest.metal += np.float32(metal) * path
    return path > 0


def joined(masks: Sequence[Bools]) -> Bools:
    """Where any of the masks is."""
    return np.asarray(np.logical_or.reduce(masks))
