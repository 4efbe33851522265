"""Draws straight tapering strokes onto a film, touching only the pixels that each covers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32, Floating

PixelCounts = NDArray[np.intp]

_CHUNK = 1 << 16  # pixels processed at once, so that they stay in the processor's cache
_FLAT = 0.5  # px by which a hollow stroke extends beyond its end,
_BEND = 0.06  # plus this share of its radius, to close bends
_SHORT, _STEEP = np.float32(1e-3), np.float32(1e-4)
_ALIKE = 0.02  # maximum relative difference of radius or gain between strokes that form one body


def strokes(
    a: Floating,
    b: Floating,
    wide: Floating,
    gain: Floating,
    core: Floating | None = None,
    missing: Floating | None = None,
) -> Float32:
    """Return the table (12 or 14, n) for `paint_strokes`, of strokes from a to b (2, n: column, row) in px.

    Radius `wide` and `gain`, the path per half chord, are (2, n), for both ends. `core` (n,) is the squared ratio of a
    hollow stroke's inner to outer radius; a fraction `missing` (n,) of the core is empty. Hollow strokes have no round
    ends, which would close them.
    """
    way = b - a
    long = np.hypot(way[0], way[1])
    rate = 1 / np.maximum(long, _SHORT)
    unit = way * rate
    grow, swell = (wide[1] - wide[0]) * rate, (gain[1] - gain[0]) * rate
    before, after = _ends(a, b, unit, wide, gain, np.abs(grow))
    if core is not None:
        before = after = _FLAT + _BEND * wide[0]
    unit[0, long <= _SHORT] = 1
    most = np.maximum(wide[0], wide[1])
    rows = [before, after, most, a[0], a[1], unit[0], unit[1], long, wide[0], grow, gain[0], swell]
    return np.array(rows if core is None else [*rows, core, missing], np.float32)


def _ends(
    a: Floating, b: Floating, unit: Floating, wide: Floating, gain: Floating, grow: Floating
) -> tuple[Floating, Floating]:
    """Return how far each stroke extends before its start and beyond its end.

    Where the next stroke continues a line, the round end matters only on the outside of the bend.
    """
    before = np.maximum(wide[0], wide[1])
    after = before.copy()
    one, two = unit[:, :-1], unit[:, 1:]
    same = (b[:, :-1] == a[:, 1:]).all(0) & ((one * two).sum(0) > 0)
    for both in (wide, gain):
        same &= np.abs(both[1, :-1] - both[0, 1:]) <= _ALIKE * both[0, 1:]
    bend = np.abs(one[0] * two[1] - one[1] * two[0]) + np.maximum(grow[:-1], grow[1:])
    reach = np.where(same, 1 + wide[0, 1:] * bend, np.inf)
    after[:-1] = np.minimum(after[:-1], reach)
    before[1:] = np.minimum(before[1:], reach)
    return before, after


def paint_strokes(table: Float32, size: int) -> Float32:
    """Return the film (size, size) with the longest path of any stroke at each pixel."""
    film = np.zeros(size * size, np.float32)
    rows, counts, first = _runs(table, size)
    last = counts.cumsum()
    total = int(last[-1]) if len(last) else 0
    cuts = [0, *np.searchsorted(last, np.arange(_CHUNK, total, _CHUNK)), len(last)]
    for low, high in pairwise(cuts):
        _paint(film, rows[:, low:high], counts[low:high], first[low:high])
    return film.reshape(size, size)


def _runs(table: Float32, size: int) -> tuple[Float32, PixelCounts, PixelCounts]:
    """Return the runs of pixels that strokes cover, one per film row: position along and across the stroke at the first
    pixel, the increments of both per pixel, and the stroke's columns; also the runs' lengths and first pixels (n,).
    """
    before, after, most, _, y, ux, uy, long = table[:8]
    fall = long * uy
    start, end, side = -before * uy, fall + after * uy, most * np.abs(ux)
    top = np.maximum(np.minimum(start, end) - side, np.minimum(fall, 0) - most) + y
    bottom = np.minimum(np.maximum(start, end) + side, np.maximum(fall, 0) + most) + y
    top = np.ceil(top).clip(0, size)
    high = (np.floor(bottom).clip(-1, size - 1) - top + 1).clip(0).astype(np.intp)
    line = _ranges(high) + top.repeat(high).astype(np.intp)
    run = table.repeat(high, axis=1)
    before, after, most, x, y, ux, uy, long = run[:8]
    dy = line - y
    along, across = dy * uy, dy * ux
    one, two = _step_bounds(-before - along, long + after - along, ux), _step_bounds(across - most, across + most, uy)
    left = np.ceil((np.maximum(one[0], two[0]) + x).clip(0, size))
    right = np.floor((np.minimum(one[1], two[1]) + x).clip(-1, size - 1))
    dx = left - x
    run[3], run[4] = along + dx * ux, dx * uy - across
    first = line * size + left.astype(np.intp)
    return run[3:], (right - left + 1).clip(0).astype(np.intp), first


def _step_bounds(low: Float32, high: Float32, step: Float32) -> tuple[Float32, Float32]:
    """Return the bounds of k for which k * step is between low and high."""
    step = np.where(np.abs(step) < _STEEP, _STEEP, step)
    low, high = low / step, high / step
    return np.minimum(low, high), np.maximum(low, high)


def _ranges(counts: PixelCounts) -> PixelCounts:
    """Return 0 .. count - 1 for each count, concatenated."""
    last = counts.cumsum()
    return np.arange(last[-1] if len(last) else 0) - (last - counts).repeat(counts)


def _paint(film: Float32, rows: Float32, counts: PixelCounts, first: PixelCounts) -> None:
    """Paint runs of pixels onto the flat film; arithmetic is in place because most of a film's time is spent here."""
    k = _ranges(counts)
    along, across, ux, uy, long, wide, grow, gain, swell, *core = (row.repeat(counts) for row in rows)
    place = first.repeat(counts) + k
    step = k.astype(np.float32)
    along += np.multiply(ux, step, out=ux)
    across += np.multiply(uy, step, out=uy)
    t = np.clip(along, 0, long)
    along -= t
    square = np.multiply(along, along, out=along)
    square += np.multiply(across, across, out=across)
    wide += np.multiply(grow, t, out=grow)
    wide *= wide
    path = (wide - square).clip(0)
    np.sqrt(path, out=path)
    if core:
        wide *= core[0]
        wide -= square
        path -= core[1] * np.sqrt(wide.clip(0))
    gain += np.multiply(swell, t, out=swell)
    path *= gain
    np.maximum.at(film, place, path)
