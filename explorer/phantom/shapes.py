"""Path lengths of rays through simple bodies, in cm: ellipsoids, tubes, and smooth random fields."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.beam import Beam, Floats

Numbers = NDArray[np.floating]

_CHUNK = 1 << 20  # elements of a patch stack that are worked on at once


def ellipsoid(
    beam: Beam,
    center: tuple[float, float, float],
    radii: tuple[float, float, float],
    tilt: float = 0.0,
) -> Floats:
    """Path (size, size) through an ellipsoid turned by `tilt` in the film's plane (radians, clockwise)."""
    x, y = beam.at(center[2])
    dx, dy = x - np.float32(center[0]), y - np.float32(center[1])
    cos, sin = np.float32(np.cos(tilt)), np.float32(np.sin(tilt))
    across, along = (dx * cos + dy * sin) / np.float32(radii[0]), (dy * cos - dx * sin) / np.float32(radii[1])
    inside = 1 - across**2 - along**2
    return np.asarray(2 * np.float32(radii[2]) * np.sqrt(inside.clip(0)), np.float32)


def tubes(
    beam: Beam,
    starts: Numbers,
    ends: Numbers,
    radii: Numbers,
    wall: float | None = None,
    hollow: float = 1.0,
    depth: Numbers | None = None,
) -> Floats:
    """Longest path (size, size) through any of n round tubes; starts and ends (n, 3) as x, y, z, radii (n, 2).

    With `wall` (a share of the radius) the tubes have a core, of which the share `hollow` is missing. `depth` (n, 2)
    multiplies the path, for things deeper along the ray than they are wide. Tubes thinner than a pixel keep their
    mass. Overlapping tubes are not added up, so that a curve of many pieces is smooth.
    """
    a, b = beam.project(starts), beam.project(ends)
    m = beam.magnified((np.asarray(starts)[:, 2] + np.asarray(ends)[:, 2]) / 2)
    real = np.asarray(radii) * m[:, None] / beam.pixel  # in pixels
    wide = np.sqrt(real**2 + 0.36)  # a pixel's own width
    gain = 2 * beam.pixel * (real / wide) ** 2 * (1.0 if depth is None else depth)
    film = np.zeros(beam.size * beam.size, np.float32)
    half = np.ceil(np.abs(b - a).max(1) / 2 + wide.max(1) + 1).astype(int)
    middle = (a + b) / 2
    seen = ((middle > -half[:, None]) & (middle < beam.size + half[:, None])).all(1)
    pieces = np.concatenate([a, b, wide, gain], 1)[seen].astype(np.float32)
    reaches = _rounded(half[seen])
    for reach in np.unique(reaches):
        some = pieces[reaches == reach]
        offsets = np.arange(-reach, reach + 1)
        step = max(1, _CHUNK // len(offsets) ** 2)
        for first in range(0, len(some), step):
            _paint(film, beam.size, some[first : first + step], offsets, wall, hollow)
    return film.reshape(beam.size, beam.size)


def _paint(
    film: Floats, size: int, pieces: Floats, offsets: NDArray[np.int64], wall: float | None, hollow: float
) -> None:
    """Draw pieces (n, 8: start, end, two radii, two gains, in px) on the flat film, each in a patch of its own."""
    a, b = pieces[:, :2], pieces[:, 2:4]
    middle = np.round((a + b) / 2).astype(int)
    columns, rows = middle[:, :1] + offsets, middle[:, 1:] + offsets
    dx, dy = (columns - a[:, :1]).astype(np.float32), (rows - a[:, 1:]).astype(np.float32)
    along = b - a
    unit = along / (along**2).sum(1).clip(1e-6)[:, None]
    free = (dx * unit[:, :1])[:, None, :] + (dy * unit[:, 1:])[:, :, None]
    t = free.clip(0, 1)
    across = dx[:, None, :] - t * along[:, 0, None, None]
    square = across * across
    across = dy[:, :, None] - t * along[:, 1, None, None]
    square += across * across
    r2 = (pieces[:, 4, None, None] + t * (pieces[:, 5] - pieces[:, 4])[:, None, None]) ** 2
    keep = (square < r2) & ((columns >= 0) & (columns < size))[:, None, :] & ((rows >= 0) & (rows < size))[:, :, None]
    if wall is not None:  # a hollow piece ends flat: a round end would close the tube's core; bends need a little
        keep &= np.abs(free - t) * np.sqrt((along**2).sum(1))[:, None, None] < 0.5 + 0.06 * pieces[:, 4, None, None]
    which, down, right = np.nonzero(keep)
    square, r2, t = square[keep], r2[keep], t[keep]
    path = np.sqrt(r2 - square)
    if wall is not None:
        path -= np.float32(hollow) * np.sqrt((r2 * np.float32((1 - wall) ** 2) - square).clip(0))
    path *= pieces[which, 6] + t * (pieces[which, 7] - pieces[which, 6])
    np.maximum.at(film, rows[which, down] * size + columns[which, right], path)


def curve(
    beam: Beam, points: Numbers, radii: Numbers | float, wall: float | None = None, hollow: float = 1.0
) -> Floats:
    """Path (size, size) through one tube along a polyline of points (n, 3), radius a number or (n,)."""
    points = np.asarray(points, np.float64)
    r = np.broadcast_to(np.asarray(radii, np.float64), len(points))
    return tubes(beam, points[:-1], points[1:], np.stack([r[:-1], r[1:]], 1), wall, hollow)


def _rounded(half: NDArray[np.int64]) -> NDArray[np.int64]:
    """Few patch sizes: each costs a round of its own."""
    return (np.ceil(np.sqrt(half)) ** 2).astype(int)


def field(random: np.random.Generator, beam: Beam, cell: float) -> Floats:
    """A smooth random field (size, size), mean 0 and deviation about 1, with structure of about `cell` cm.

    The same field at every film size: it is drawn on a grid of its own and interpolated (cubic B-spline).
    """
    knots = int(np.ceil(beam.field / cell)) + 4
    values = random.standard_normal((knots, knots)).astype(np.float32)
    rows = spline((beam.y[:, 0] - beam.top) / cell, knots)
    columns = spline((beam.x[0] - beam.left) / cell, knots)
    return np.asarray(rows @ values @ columns.T * np.float32(2.09))  # B-splines average: back to deviation 1


def spline(at: Floats, knots: int) -> Floats:
    """Weights (n, knots) of the uniform cubic B-spline at positions counted in cells."""
    distance = np.abs(at[:, None] + 1.5 - np.arange(knots, dtype=np.float32)[None])
    near = 2 / 3 - distance**2 + distance**3 / 2
    far = (2 - distance).clip(0) ** 3 / 6
    return np.asarray(np.where(distance < 1, near, far), np.float32)


def smooth(value: Numbers, low: float | Numbers, high: float | Numbers) -> Floats:
    """0 at or below low, 1 at or above high, and no corner between."""
    low = np.asarray(low, np.float32)
    t = ((np.asarray(value, np.float32) - low) / (np.asarray(high, np.float32) - low)).clip(0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)
