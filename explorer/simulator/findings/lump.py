"""Compute ray paths through lumps: round bodies with an irregular outline."""

from __future__ import annotations

import numpy as np

from explorer.simulator.beam import Beam
from models.array_types import Float32

_FINE = 3  # sub-rays per side of a pixel, so that thin walls and small lumps are accurate on coarse films


def lump(
    beam: Beam,
    center: tuple[float, float, float],
    radii: tuple[float, float],
    random: np.random.Generator,
    rough: float = 0.1,
    tilt: float = 0.0,
    wall: float | None = None,
    edge: float = 0.5,
) -> Float32:
    """Return the path (size, size) in cm through a body with two radii, as deep as their mean.

    `rough` is the irregularity of the outline relative to the radius. With `wall` (cm), only a shell is drawn.
    `edge` is 0.5 for a body with a sharp edge, and larger for one that thins out.
    """
    waves = np.arange(2, 9)
    strength = random.normal(0, 1, len(waves)) * rough / waves**1.4
    phase = random.uniform(0, 2 * np.pi, len(waves))
    film = np.zeros((beam.size, beam.size), np.float32)
    x, y = beam.at(center[2])
    reach = max(radii) * (1 + 3 * rough) + 2 * beam.pixel
    columns, rows = _near(x[0], center[0], reach), _near(y[:, 0], center[1], reach)
    if columns.stop <= columns.start or rows.stop <= rows.start:
        return film
    dx, dy = _sub_rays(x[0, columns] - np.float32(center[0])), _sub_rays(y[rows, 0] - np.float32(center[1]))
    dx, dy = dx[None], dy[:, None]
    cos, sin = np.float32(np.cos(tilt)), np.float32(np.sin(tilt))
    u, v = (dx * cos + dy * sin) / np.float32(radii[0]), (dy * cos - dx * sin) / np.float32(radii[1])
    around = np.arctan2(v, u)
    outline = np.ones_like(around)
    for wave, size, start in zip(waves, strength, phase, strict=True):
        outline += np.float32(size) * np.cos(np.float32(wave) * around + np.float32(start))
    outline = outline.clip(0.4)
    far = (u * u + v * v) / outline**2
    deep = np.float32(radii[0] + radii[1])
    path = deep * (1 - far).clip(0) ** np.float32(edge)
    if wall is not None:
        left = np.float32(max(1 - wall / min(radii), 0.0))
        path -= deep * left * np.sqrt((1 - far / left**2).clip(0)) if left > 0 else np.float32(0)
    n, m = rows.stop - rows.start, columns.stop - columns.start
    film[rows, columns] = path.reshape(n, _FINE, m, _FINE).mean((1, 3))
    return film


def _near(along: Float32, middle: float, reach: float) -> slice:
    keep = np.flatnonzero(np.abs(along - np.float32(middle)) <= reach)
    return slice(int(keep[0]), int(keep[-1]) + 1) if len(keep) else slice(0, 0)


def _sub_rays(along: Float32) -> Float32:
    """Return the sub-rays of each pixel."""
    step = along[1] - along[0] if len(along) > 1 else np.float32(0)
    parts = ((np.arange(_FINE, dtype=np.float32) + 0.5) / _FINE - 0.5) * step
    return (along[:, None] + parts).reshape(-1)
