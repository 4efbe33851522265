"""The outline of a lung as points that correspond between patients: from the apex over the angle to the medial base."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.ndimage import gaussian_filter

from models.array_types import Bools, Float64
from models.refusal import Refusal

POINTS_PER_BORDER = 12
_LEAST_PIXELS = 200
_BLUR = 0.015  # of the square root of the lung's area: an outline between pixels, without their steps
# Which way the three corners lie, as (outward, down); the angle is the deepest point beside the chest wall. The base is
# looked for in the lowest part of the lung: beside a large heart, the hilum lies farther medially.
_APEX, _ANGLE, _BASE = (0.0, -1.0), (1.0, 1.3), (-1.0, 1.6)
_LOWEST = 0.3  # of the lung's height


class NoLung(Refusal):
    """The outline of a lung is too small or too ragged to align anything with it."""


def corresponding_points(lung: Bools, side: str) -> Float64:
    """Return points (3 * POINTS_PER_BORDER, 2: column, row) along a lung's outline, in equal steps along each border.

    The borders are the lateral one (apex to costophrenic angle), the diaphragm (to its medial end) and the medial one.
    Do not modify them. Raises NoLung.
    """
    if int(lung.sum()) < _LEAST_PIXELS:
        raise NoLung(f"The {side} lung is not outlined on this film", "Choose the other side, or another film.")
    return _points(np.packbits(lung).tobytes(), lung.shape, side)


@lru_cache(maxsize=8)  # a finding that is moved or grows lies in the same two lungs each time
def _points(packed: bytes, shape: tuple[int, int], side: str) -> Float64:
    from contourpy import contour_generator  # imported only when something is inserted

    lung = np.unpackbits(np.frombuffer(packed, np.uint8), count=shape[0] * shape[1]).reshape(shape).astype(bool)
    blur = _BLUR * np.sqrt(lung.sum())
    around = int(np.ceil(3 * blur))
    soft = gaussian_filter(np.pad(lung, around).astype(np.float64), blur)
    lines = [np.asarray(each, np.float64)[:-1] - around for each in contour_generator(z=soft).lines(0.5)]
    line = max(lines, key=len)
    outward = -1.0 if side == "right" else 1.0  # the image's left is the patient's right
    apex, angle = (_farthest(line, outward * out, down) for out, down in (_APEX, _ANGLE))
    base = _farthest(line, outward * _BASE[0], _BASE[1], _LOWEST)
    if (base - apex) % len(line) < (angle - apex) % len(line):  # the line runs the other way round
        line = line[::-1]
        apex, angle, base = (len(line) - 1 - each for each in (apex, angle, base))
    corners = ((apex, angle), (angle, base), (base, apex))
    return np.vstack([_equal_steps(_border(line, start, end)) for start, end in corners])


def _farthest(line: Float64, across: float, down: float, lowest: float = 1.0) -> int:
    """Return which point of the lowest part lies farthest in a direction, relative to width and height."""
    wide, high = np.ptp(line, axis=0)
    along = across * line[:, 0] / wide + down * line[:, 1] / high
    return int(np.argmax(np.where(line[:, 1] >= line[:, 1].max() - lowest * high, along, -np.inf)))


def _border(line: Float64, start: int, end: int) -> Float64:
    count = (end - start) % len(line)
    return line[(start + np.arange(count + 1)) % len(line)]


def _equal_steps(border: Float64) -> Float64:
    along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(border, axis=0).T))])
    steps = np.linspace(0, along[-1], POINTS_PER_BORDER, endpoint=False)
    return np.stack([np.interp(steps, along, border[:, each]) for each in (0, 1)], 1)
