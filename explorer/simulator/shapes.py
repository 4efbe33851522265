"""Computes path lengths of rays through simple bodies, in cm: ellipsoids, tubes, and smooth random fields."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from explorer.simulator.beam import Beam
from explorer.simulator.strokes import paint_strokes, strokes
from models.array_types import Float32, Floating

_BLEED = 0.36  # px squared, added to a tube's squared radius for the pixel's own size


def ellipsoid(
    beam: Beam,
    center: tuple[float, float, float],
    radii: tuple[float, float, float],
    tilt: float = 0.0,
) -> Float32:
    """Return the path (size, size) through an ellipsoid rotated by `tilt` in the film plane (radians, clockwise)."""
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
    """Return the longest path (size, size) through any of n round tubes; starts and ends (n, 3: x, y, z), radii (n, 2).

    With `wall` (a fraction of the radius), the tubes have a core, of which the fraction `hollow` is missing. `depth`
    (n, 2) scales the path, for structures deeper along the ray than wide. Tubes thinner than a pixel keep their mass.
    Overlapping tubes do not add up, so that a curve of many pieces is smooth.
    """
    starts, ends = np.asarray(starts, np.float64), np.asarray(ends, np.float64)
    seen = beam.project(np.concatenate([starts, ends])).T
    wide, gain = _with_pixel_size(beam, np.asarray(radii, np.float64).T, (starts[:, 2] + ends[:, 2]) / 2)
    if depth is not None:
        gain = gain * np.asarray(depth).T
    core = None if wall is None else np.full((2, len(starts)), [[(1 - wall) ** 2], [hollow]])
    table = strokes(seen[:, : len(starts)], seen[:, len(starts) :], wide, gain, *(core if core is not None else ()))
    return paint_strokes(table, beam.size)


def _with_pixel_size(beam: Beam, radii: Floating, z: Floating) -> tuple[Floating, Floating]:
    """Return radii (2, n) in px including the pixel's own size, and the path per half chord that preserves the mass."""
    real = radii * (beam.magnified(z) / beam.pixel)
    square = real * real
    bled = square + _BLEED
    return np.sqrt(bled), 2 * beam.pixel * square / bled


def curved_tube(
    beam: Beam, points: Floating, radii: Floating | float, wall: float | None = None, hollow: float = 1.0
) -> Float32:
    """Return the path (size, size) through a tube along a polyline (n, 3); the radius is a number or (n,)."""
    r = np.broadcast_to(np.asarray(radii, np.float64), len(points))
    return tubes(beam, points[:-1], points[1:], np.stack([r[:-1], r[1:]], 1), wall, hollow)


def noise_field(random: np.random.Generator, beam: Beam, cell: float) -> Float32:
    """Return a smooth random field (size, size), mean 0 and deviation about 1, with structure of about `cell` cm.

    The field is the same at every film size, because it is drawn on its own grid and interpolated (cubic B-spline).
    """
    knots = int(np.ceil(beam.field / cell)) + 4
    values = random.standard_normal((knots, knots)).astype(np.float32) * np.float32(2.09)
    at = (np.arange(beam.size, dtype=np.float32) + np.float32(0.5)) * np.float32(beam.pixel / cell)
    return stretch_spline(values, at)  # B-splines average; the factor 2.09 restores a deviation of 1


def stretch_spline(values: Float32, at: Float32) -> Float32:
    """Return the cubic B-spline (n, n) of knots (k, k) at positions (n,) in both directions, in units of cells."""
    weights = spline_weights(at, len(values))
    return np.asarray(weights @ (weights @ values.T).T)


def spline_weights(at: Float32, knots: int) -> csr_array:
    """Return weights (n, knots) of the cubic B-spline at positions in units of cells; four per row are nonzero."""
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


def smooth_step(value: Floating, low: float | Floating, high: float | Floating) -> Float32:
    """Return a smooth step: 0 at or below `low`, 1 at or above `high`."""
    t = np.asarray((value - low) / (high - low), np.float32).clip(0, 1)
    rest = 3 - 2 * t
    rest *= t
    rest *= t
    return rest
