"""Path lengths of rays through simple bodies, in cm: ellipsoids, tubes, and smooth random fields."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from explorer.simulator.beam import Beam
from explorer.simulator.strokes import painted, strokes
from models.array_types import Float32, Floating

_BLEED = 0.36  # square of what a pixel's own size adds to a tube's radius, px


def ellipsoid(
    beam: Beam,
    center: tuple[float, float, float],
    radii: tuple[float, float, float],
    tilt: float = 0.0,
) -> Float32:
    """Path (size, size) through an ellipsoid turned by `tilt` in the film's plane (radians, clockwise)."""
    film = np.zeros((beam.size, beam.size), np.float32)
    x, y = beam.at(center[2])
    cos, sin = float(np.cos(tilt)), float(np.sin(tilt))
    wide, high = float(np.hypot(radii[0] * cos, radii[1] * sin)), float(np.hypot(radii[0] * sin, radii[1] * cos))
    left, right = np.searchsorted(x[0], (center[0] - wide, center[0] + wide))
    top, bottom = np.searchsorted(y[:, 0], (center[1] - high, center[1] + high))
    dx, dy = x[:, left:right] - np.float32(center[0]), y[top:bottom] - np.float32(center[1])
    across = dx * np.float32(cos / radii[0]) + dy * np.float32(sin / radii[0])
    along = dy * np.float32(cos / radii[1]) - dx * np.float32(sin / radii[1])
    inside = (1 - across * across - along * along).clip(0)
    film[top:bottom, left:right] = np.float32(2 * radii[2]) * np.sqrt(inside)
    return film


def tubes(
    beam: Beam,
    starts: Floating,
    ends: Floating,
    radii: Floating,
    wall: float | None = None,
    hollow: float = 1.0,
    depth: Floating | None = None,
) -> Float32:
    """Longest path (size, size) through any of n round tubes; starts and ends (n, 3) as x, y, z, radii (n, 2).

    With `wall` (a share of the radius) the tubes have a core, of which the share `hollow` is missing. `depth` (n, 2)
    multiplies the path, for things deeper along the ray than they are wide. Tubes thinner than a pixel keep their
    mass. Overlapping tubes are not added up, so that a curve of many pieces is smooth.
    """
    starts, ends = np.asarray(starts, np.float64), np.asarray(ends, np.float64)
    seen = beam.project(np.concatenate([starts, ends])).T
    wide, gain = _bled(beam, np.asarray(radii, np.float64).T, (starts[:, 2] + ends[:, 2]) / 2)
    if depth is not None:
        gain = gain * np.asarray(depth).T
    core = None if wall is None else np.full((2, len(starts)), [[(1 - wall) ** 2], [hollow]])
    table = strokes(seen[:, : len(starts)], seen[:, len(starts) :], wide, gain, *(core if core is not None else ()))
    return painted(table, beam.size)


def _bled(beam: Beam, radii: Floating, z: Floating) -> tuple[Floating, Floating]:
    """Radii (2, n) in px with a pixel's own size, and the path over half the chord that keeps the mass."""
    real = radii * (beam.magnified(z) / beam.pixel)
    square = real * real
    bled = square + _BLEED
    return np.sqrt(bled), 2 * beam.pixel * square / bled


def curve(
    beam: Beam, points: Floating, radii: Floating | float, wall: float | None = None, hollow: float = 1.0
) -> Float32:
    """Path (size, size) through one tube along a polyline of points (n, 3), radius a number or (n,)."""
    r = np.broadcast_to(np.asarray(radii, np.float64), len(points))
    return tubes(beam, points[:-1], points[1:], np.stack([r[:-1], r[1:]], 1), wall, hollow)


def field(random: np.random.Generator, beam: Beam, cell: float) -> Float32:
    """A smooth random field (size, size), mean 0 and deviation about 1, with structure of about `cell` cm.

    The same field at every film size: it is drawn on a grid of its own and interpolated (cubic B-spline).
    """
    knots = int(np.ceil(beam.field / cell)) + 4
    values = random.standard_normal((knots, knots)).astype(np.float32) * np.float32(2.09)
    at = (np.arange(beam.size, dtype=np.float32) + np.float32(0.5)) * np.float32(beam.pixel / cell)
    return stretched(values, at)  # B-splines average: 2.09 brings the deviation back to 1


def stretched(values: Float32, at: Float32) -> Float32:
    """The cubic B-spline (n, n) of knots (k, k) at positions (n,) in both directions, counted in cells."""
    weights = spline(at, len(values))
    return np.asarray(weights @ (weights @ values.T).T)


def spline(at: Float32, knots: int) -> csr_array:
    """Weights (n, knots) of the uniform cubic B-spline at positions counted in cells; four of a row are not 0."""
    at = at + np.float32(0.5)
    first = np.floor(at).astype(np.int32).clip(0, knots - 4)
    t = at - first
    rest = 1 - t
    near, far = t * t * t / 6, rest * rest * rest / 6
    middle = np.float32(2 / 3) - rest * rest * (1 + t) / 2
    weights = np.stack([far, 1 - far - middle - near, middle, near], 1)
    columns = first[:, None] + np.arange(4, dtype=np.int32)
    rows = np.arange(0, weights.size + 1, 4, dtype=np.int32)
    return csr_array((weights.ravel().astype(np.float32), columns.ravel(), rows), shape=(len(at), knots))


def smooth(value: Floating, low: float | Floating, high: float | Floating) -> Float32:
    """0 at or below low, 1 at or above high, and no corner between."""
    t = np.asarray((value - low) / (high - low), np.float32).clip(0, 1)
    rest = 3 - 2 * t
    rest *= t
    rest *= t
    return rest
