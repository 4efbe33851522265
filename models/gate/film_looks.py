"""What a film looks like at a glance: where its edges run, whatever its size, window or contrast.

A histogram of gradient directions (Dalal and Triggs, CVPR 2005) over a coarse grid of the rank-equalized film. Turning
or inverting a film only moves the numbers, so that one glance tells how all eight ways to hold a film would look.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from models.array_types import Float32
from models.films.film import MIN_SIDE

THUMBNAIL = 256  # pixels of the longer side: borders are still seen
SIDE = 48  # pixels of the square that directions are read from
CELLS = 6
DIRECTIONS = 8  # 45 degrees each, so that a quarter turn moves them by two
FLAT = 0.08  # of the contrast: less in a whole row or column is border
LEAST = 0.3  # of the area must be left when borders are cut off


@dataclass(frozen=True, slots=True)
class Way:
    """One of the eight ways a film may have to be changed: inverted or not, then `turns` quarter turns to the left."""

    inverted: bool
    turns: int


AS_IT_IS = Way(inverted=False, turns=0)
WAYS = tuple(Way(inverted, turns) for inverted in (False, True) for turns in range(4))


def coarseness(pixels: Float32) -> int:
    """How many pixels of a film (h, w) make one of its thumbnail, along each side; 1 for a small or narrow film."""
    factor: int = min(max(pixels.shape) // THUMBNAIL, min(pixels.shape) // MIN_SIDE)
    return max(1, factor)


def thumbnail(pixels: Float32) -> Float32:
    """A film (h, w) shrunk to a longer side of about THUMBNAIL pixels; smaller ones stay as they are."""
    factor = coarseness(pixels)
    if factor == 1:
        return pixels
    step = max(1, factor // 2)  # of a large film two rows and columns of a block or three tell enough
    return np.asarray(Image.fromarray(np.ascontiguousarray(pixels[::step, ::step])).reduce(factor // step))


def contrast(thumb: Float32) -> float:
    """What lies between the 1st and the 99th percentile of a thumbnail, from every other row and column."""
    return float(np.ptp(np.percentile(thumb[::2, ::2], (1, 99))))


def look(thumb: Float32) -> Float32:
    """The strength of edges in every direction in every cell of a thumbnail: (DIRECTIONS, CELLS, CELLS)."""
    square = Image.fromarray(np.ascontiguousarray(without_borders(thumb)))
    grey = _ranks(np.asarray(square.resize((SIDE, SIDE), Image.Resampling.BOX)))
    down, right = np.zeros_like(grey), np.zeros_like(grey)
    down[1:-1] = grey[2:] - grey[:-2]
    right[:, 1:-1] = grey[:, 2:] - grey[:, :-2]
    strength = np.hypot(down, right)
    direction = np.arctan2(down, right) * (DIRECTIONS / (2 * np.pi)) % DIRECTIONS
    centers = np.arange(DIRECTIONS)[:, None, None]
    away = np.abs((direction - centers + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
    edges = strength * np.maximum(0, 1 - away)  # shared between the two nearest directions
    width = SIDE // CELLS
    cells = edges.reshape(DIRECTIONS, CELLS, width, CELLS, width).mean((2, 4))
    energy = np.sqrt((cells**2).sum(0))
    shares: Float32 = np.sqrt(cells / (energy + 0.2 * energy.mean() + 1e-6)).astype(np.float32)
    return shares


def seen(film: Float32, way: Way) -> Float32:
    """The look a film would have if it were changed in this way, from its look (DIRECTIONS, CELLS, CELLS)."""
    moved = np.roll(film, -DIRECTIONS // 4 * way.turns + DIRECTIONS // 2 * way.inverted, axis=0)
    return np.rot90(moved, way.turns, (1, 2))


def mirror(film: Float32) -> Float32:
    """The look a film would have in a mirror, left and right exchanged."""
    return film[(DIRECTIONS // 2 - np.arange(DIRECTIONS)) % DIRECTIONS, :, ::-1]


def without_borders(thumb: Float32) -> Float32:
    """A film without the flat strips along its sides, or as it is where little would be left."""
    flat = FLAT * contrast(thumb)
    rows, columns = (np.flatnonzero(np.ptp(thumb, axis=axis) > flat) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return thumb
    inner = thumb[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return inner if inner.size >= LEAST * thumb.size else thumb


def _ranks(grey: Float32) -> Float32:
    """Every pixel's rank among all as a share in [0, 1], equal grays sharing theirs: no window or gamma changes it."""
    _, index, counts = np.unique(grey, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    ranks: Float32 = (middle / grey.size).astype(np.float32)[index].reshape(grey.shape)
    return ranks
