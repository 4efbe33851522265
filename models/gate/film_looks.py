"""Describes a film by the directions of its edges, independent of its size, window and contrast.

A histogram of gradient directions (Dalal and Triggs, CVPR 2005) over a coarse grid of the rank-equalized film. Turning
or inverting a film only permutes the numbers, so one histogram gives the histograms of all eight transforms of the
film.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import Image

from models.array_types import Float32
from models.films.film import MIN_SIDE

THUMBNAIL = 256  # pixels of the longer side: fine enough to show borders
LOOK_SIDE = 48  # pixels per side of the square whose directions are computed
GRID_CELLS = 6
DIRECTIONS = 8  # 45 degrees each, so a quarter turn shifts them by two
BORDER_CONTRAST_SHARE = 0.08  # fraction of the contrast: a row or column with a smaller range is border
MIN_INNER_SHARE = 0.3  # fraction of the area that must remain after borders are cut off


@dataclass(frozen=True, slots=True)
class FilmTransform:
    """One of eight changes to a film: inverted or not, then `turns` quarter turns counterclockwise."""

    inverted: bool
    turns: int


IDENTITY = FilmTransform(inverted=False, turns=0)
TRANSFORMS = tuple(FilmTransform(inverted, turns) for inverted in (False, True) for turns in range(4))


def coarseness(pixels: Float32) -> int:
    """Return how many pixels per side of a film (h, w) make one thumbnail pixel; 1 for a small or narrow film."""
    factor: int = min(max(pixels.shape) // THUMBNAIL, min(pixels.shape) // MIN_SIDE)
    return max(1, factor)


def thumbnail(pixels: Float32) -> Float32:
    """Shrink a film (h, w) to a longer side of about THUMBNAIL pixels; smaller films are unchanged."""
    factor = coarseness(pixels)
    if factor == 1:
        return pixels
    step = max(1, factor // 2)  # in a large film, two or three rows and columns per block are enough
    return np.asarray(Image.fromarray(np.ascontiguousarray(pixels[::step, ::step])).reduce(factor // step))


def contrast(thumb: Float32) -> float:
    """Return the range between the 1st and 99th percentiles of a thumbnail, using every other row and column."""
    return float(np.ptp(np.percentile(thumb[::2, ::2], (1, 99))))


def film_look(thumb: Float32) -> Float32:
    """Return a thumbnail's edge strength by direction and cell: (DIRECTIONS, CELLS, CELLS)."""
    square = Image.fromarray(np.ascontiguousarray(without_borders(thumb)))
    gray = _ranks(np.asarray(square.resize((LOOK_SIDE, LOOK_SIDE), Image.Resampling.BOX)))
    down, right = np.zeros_like(gray), np.zeros_like(gray)
    down[1:-1] = gray[2:] - gray[:-2]
    right[:, 1:-1] = gray[:, 2:] - gray[:, :-2]
    strength = np.hypot(down, right)
    direction = np.arctan2(down, right) * (DIRECTIONS / (2 * np.pi)) % DIRECTIONS
    centers = np.arange(DIRECTIONS)[:, None, None]
    away = np.abs((direction - centers + DIRECTIONS / 2) % DIRECTIONS - DIRECTIONS / 2)
    edges = strength * np.maximum(0, 1 - away)  # split between the two nearest directions
    width = LOOK_SIDE // GRID_CELLS
    cells = edges.reshape(DIRECTIONS, GRID_CELLS, width, GRID_CELLS, width).mean((2, 4))
    energy = np.sqrt((cells**2).sum(0))
    shares: Float32 = np.sqrt(cells / (energy + 0.2 * energy.mean() + 1e-6)).astype(np.float32)
    return shares


def transformed_look(film: Float32, way: FilmTransform) -> Float32:
    """Return the look (DIRECTIONS, CELLS, CELLS) that a film would have after a change, given its look."""
    moved = np.roll(film, -DIRECTIONS // 4 * way.turns + DIRECTIONS // 2 * way.inverted, axis=0)
    return np.rot90(moved, way.turns, (1, 2))


def mirrored_look(film: Float32) -> Float32:
    """Return the look that a film would have with left and right exchanged."""
    return film[(DIRECTIONS // 2 - np.arange(DIRECTIONS)) % DIRECTIONS, :, ::-1]


def without_borders(thumb: Float32) -> Float32:
    """Cut off the flat strips along a film's sides, unless little would remain."""
    flat = BORDER_CONTRAST_SHARE * contrast(thumb)
    rows, columns = (np.flatnonzero(np.ptp(thumb, axis=axis) > flat) for axis in (1, 0))
    if not len(rows) or not len(columns):
        return thumb
    inner = thumb[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    return inner if inner.size >= MIN_INNER_SHARE * thumb.size else thumb


def _ranks(gray: Float32) -> Float32:
    """Return every pixel's rank as a fraction in [0, 1], the same for equal grays: independent of window and gamma."""
    _, index, counts = np.unique(gray, return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    ranks: Float32 = (middle / gray.size).astype(np.float32)[index].reshape(gray.shape)
    return ranks
