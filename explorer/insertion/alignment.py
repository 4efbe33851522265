"""Moves a change of density from a simulated patient's lung onto the lung of a film."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import RBFInterpolator
from scipy.ndimage import map_coordinates

from explorer.insertion.lung_outline import corresponding_points
from explorer.simulator.finding_change import FindingChange
from models.array_types import Bools, Float32, Float64

_GRID = 49  # points per side at which the warp is computed; it is smooth between them
_SMOOTHING = 5.0  # px squared: a ragged outline bends the warp less
_MARGIN = 6  # px around a focal finding's mask that still change

Point = tuple[float, float]  # column, row


@dataclass(frozen=True, slots=True)
class Stamp:
    """A focal finding at a film's scale: an odd square whose middle is the finding's center."""

    density: Float32  # (k, k), change of density; 1 is the difference between lung and mediastinum
    mask: Bools  # (k, k)

    def window(self, point: Point, shape: tuple[int, int]) -> tuple[tuple[slice, slice], tuple[slice, slice]]:
        """Return where the stamp lies on a film of this shape, and which part of the stamp that is."""
        half = self.mask.shape[0] // 2
        starts = [round(each) - half for each in (point[1], point[0])]
        on_film, own = [], []
        for start, length in zip(starts, shape, strict=True):
            first, last = max(start, 0), min(start + 2 * half + 1, length)
            on_film.append(slice(first, max(first, last)))
            own.append(slice(first - start, max(first, last) - start))
        return (on_film[0], on_film[1]), (own[0], own[1])


def warped(change: FindingChange, lung: Bools, side: str) -> FindingChange:
    """Return a change on the film of `lung` (h, w), so that the outlines of both lungs agree.

    Between and beyond the outlines, a thin-plate spline (Bookstein 1989) is as smooth as it can be. Raises NoLung.
    """
    row, column = _places_before(lung, change.lung, side)
    first, last = zip(*map(span, ((change.density != 0) | change.mask).nonzero()), strict=True)
    near = (row > first[0] - 1) & (row < last[0]) & (column > first[1] - 1) & (column < last[1])
    window = window_of(near)
    density, after, mask = (np.zeros(lung.shape, np.float32) for _ in range(3))
    for whole, before in ((density, change.density), (after, change.after), (mask, change.mask.astype(np.float32))):
        whole[window] = _sampled(before, row[window], column[window])
    return FindingChange(density, after, lung, mask > 0.5)


def window_of(where: Bools) -> tuple[slice, slice]:
    """Return the smallest window of an array (h, w) that contains all of `where`; an empty one if there is nothing."""
    rows, columns = (span(np.flatnonzero(where.any(axis))) for axis in (1, 0))
    return slice(*rows), slice(*columns)


def span(places: NDArray[np.intp]) -> tuple[int, int]:
    """Return the lowest of some indices and the one after the highest; (0, 0) if there are none."""
    return (int(places.min()), int(places.max()) + 1) if len(places) else (0, 0)


def _places_before(lung: Bools, own_lung: Bools, side: str) -> tuple[Float64, Float64]:
    """Return for each pixel of a film (h, w) the row and column in the film of `own_lung` from which it comes."""
    spline = _spline(lung, own_lung, side)
    height, width = lung.shape
    columns, rows = np.meshgrid(np.linspace(0, width - 1, _GRID), np.linspace(0, height - 1, _GRID))
    coarse = spline(np.stack([columns.ravel(), rows.ravel()], 1)).reshape(_GRID, _GRID, 2)
    down, across = (_between_grid_points(length) for length in (height, width))
    row, column = (down @ coarse[..., each] @ across.T for each in (1, 0))
    return row, column


@lru_cache(maxsize=8)
def _between_grid_points(length: int) -> Float64:
    """Return the weights (length, _GRID) that interpolate linearly between equidistant grid points; do not modify."""
    place = np.linspace(0, _GRID - 1, length)
    return np.asarray(np.clip(1 - np.abs(place[:, None] - np.arange(_GRID)), 0, 1))


def stamp_of(change: FindingChange, lung: Bools, point: Point = (0, 0)) -> Stamp:
    """Return a focal finding, enlarged as the film's lung (h, w) is taller than the simulated patient's.

    Its center lies beside the middle pixel as far as `point` lies beside the nearest pixel.
    """
    beside = [(each - round(each)) for each in point]
    column, row = center_of(change)
    times = _height(lung) / _height(change.lung)
    rows, columns = np.nonzero(change.mask)
    reach = max(np.abs(rows - row).max(), np.abs(columns - column).max())
    half = int(np.ceil((reach + _MARGIN) * times))
    down, across = np.mgrid[-half : half + 1, -half : half + 1]
    rows, columns = row + (down - beside[1]) / times, column + (across - beside[0]) / times
    density, mask = (_sampled(each, rows, columns) for each in (change.density, change.mask.astype(np.float32)))
    return Stamp(density, mask > 0.5)


def corresponding_point(point: Point, own_lung: Bools, lung: Bools, side: str) -> Point:
    """Return the point of a film's lung that corresponds to one of another lung. Raises NoLung."""
    column, row = _spline(own_lung, lung, side)(np.array([point]))[0]
    return float(column), float(row)


def center_of(change: FindingChange) -> Point:
    """Return the center of a finding's mask."""
    rows, columns = np.nonzero(change.mask)
    return float(columns.mean()), float(rows.mean())


def _spline(start: Bools, end: Bools, side: str) -> RBFInterpolator:
    """Return the spline that takes points (n, 2: column, row) of one lung to those of another. Raises NoLung."""
    points = (corresponding_points(each, side) for each in (start, end))
    return RBFInterpolator(*points, kernel="thin_plate_spline", smoothing=_SMOOTHING)


def _height(lung: Bools) -> float:
    return float(np.ptp(np.flatnonzero(lung.any(1))) + 1)


def _sampled(values: Float32, row: Float64, column: Float64) -> Float32:
    return np.asarray(map_coordinates(values, [row, column], order=1, mode="constant"), np.float32)
