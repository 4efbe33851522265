"""Straight tapering strokes put on a film all at once, each on just the pixels that it covers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float32, Floating

Counts = NDArray[np.intp]

_CHUNK = 1 << 16  # pixels that are worked on at once: they stay in the processor's cache
_FLAT = 0.5  # px that a hollow stroke goes on beyond its end,
_BEND = 0.06  # and share of its radius: bends need a little
_SHORT, _STEEP = np.float32(1e-3), np.float32(1e-4)
_ALIKE = 0.02  # share by which radius or gain of two strokes may differ that are one body


def strokes(
    a: Floating,
    b: Floating,
    wide: Floating,
    gain: Floating,
    core: Floating | None = None,
    missing: Floating | None = None,
) -> Float32:
    """What `painted` draws, (12 or 14, n), of strokes from a to b (2, n: column, row) in px.

    Radius `wide` and `gain`, the path over half the chord, are (2, n): at both ends. `core` (n,) is the square of a
    hollow stroke's inner radius over its outer one, of which the share `missing` (n,) is not body. Hollow strokes have
    no round ends, which would close them.
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
    """How far each stroke goes on before its start and beyond its end.

    Where a stroke goes on as the next of its line, its round end is seen at the outside of the bend alone.
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


def painted(table: Float32, size: int) -> Float32:
    """The film (size, size) with the longest path of any stroke at each pixel."""
    film = np.zeros(size * size, np.float32)
    rows, counts, first = _runs(table, size)
    last = counts.cumsum()
    total = int(last[-1]) if len(last) else 0
    cuts = [0, *np.searchsorted(last, np.arange(_CHUNK, total, _CHUNK)), len(last)]
    for low, high in pairwise(cuts):
        _paint(film, rows[:, low:high], counts[low:high], first[low:high])
    return film.reshape(size, size)


def _runs(table: Float32, size: int) -> tuple[Float32, Counts, Counts]:
    """Runs of pixels that strokes cover, one for each row of the film: of place along and across the stroke at
    the first pixel, the steps of both from pixel to pixel, and the stroke; their counts and first pixels (n,)."""
    before, after, most, _, y, ux, uy, long = table[:8]
    fall = long * uy
    start, end, side = -before * uy, fall + after * uy, most * np.abs(ux)
    top = np.maximum(np.minimum(start, end) - side, np.minimum(fall, 0) - most) + y
    bottom = np.minimum(np.maximum(start, end) + side, np.maximum(fall, 0) + most) + y
    top = np.ceil(top).clip(0, size)
    high = (np.floor(bottom).clip(-1, size - 1) - top + 1).clip(0).astype(np.intp)
    line = _counted(high) + top.repeat(high).astype(np.intp)
    run = table.repeat(high, axis=1)
    before, after, most, x, y, ux, uy, long = run[:8]
    dy = line - y
    along, across = dy * uy, dy * ux
    one, two = _within(-before - along, long + after - along, ux), _within(across - most, across + most, uy)
    left = np.ceil((np.maximum(one[0], two[0]) + x).clip(0, size))
    right = np.floor((np.minimum(one[1], two[1]) + x).clip(-1, size - 1))
    dx = left - x
    run[3], run[4] = along + dx * ux, dx * uy - across
    first = line * size + left.astype(np.intp)
    return run[3:], (right - left + 1).clip(0).astype(np.intp), first


def _within(low: Float32, high: Float32, step: Float32) -> tuple[Float32, Float32]:
    """Where k * step is between low and high."""
    step = np.where(np.abs(step) < _STEEP, _STEEP, step)
    low, high = low / step, high / step
    return np.minimum(low, high), np.maximum(low, high)


def _counted(counts: Counts) -> Counts:
    """0 .. count - 1 for each count, one after the other."""
    last = counts.cumsum()
    return np.arange(last[-1] if len(last) else 0) - (last - counts).repeat(counts)


def _paint(film: Float32, rows: Float32, counts: Counts, first: Counts) -> None:
    """Put runs of pixels on the flat film; in place, as all within it: this is where a film's time goes."""
    k = _counted(counts)
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
