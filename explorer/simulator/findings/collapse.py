"""Draw lobar collapse: the fraction of each ray's lung it takes, with the displaced fissure (Felson)."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import map_coordinates

from explorer.simulator.findings.side import LungView
from explorer.simulator.shapes import noise_field, smooth_step
from models.array_types import Float32

_PULLED = 7.0  # cm around the hilum that a collapsed lobe displaces
_MOST = 1.3  # cm, maximum displacement


def collapsed_lobe(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return one collapsed lobe (size, size), 1 where it is densest; the lower lobe in half of the cases."""
    which = float(random.uniform())
    rough = 1 + np.float32(0.06) * noise_field(random, side.chest.beam, 1.5)
    if which < 0.5:
        return _lower(side, severity) * rough
    if side.name == "left":
        return _left_upper(side, severity) * rough
    return (_right_upper(side, severity) if which < 0.8 else _middle(side, severity)) * rough


def pull_hilum(side: LungView, lost: Float32, severity: float) -> None:
    """Move the hilar vessels up or down toward the collapsed lobe (`lost`, 0 to 1)."""
    chest, (out, y) = side.chest, side.hilum
    towards = 1 if float((lost * side.lung * (side.y - np.float32(y))).sum()) > 0 else -1
    rows = slice(*np.searchsorted(side.y[:, 0], (y - _PULLED, y + _PULLED)))
    columns = np.flatnonzero((side.out[0] > 0.5) & (side.out[0] < out + _PULLED))
    across = slice(int(columns[0]), int(columns[-1]) + 1)
    far = ((side.out[:, across] - np.float32(out)) ** 2 + (side.y[rows] - np.float32(y)) ** 2) / np.float32(_PULLED**2)
    moved = np.float32(towards * _MOST * severity / chest.beam.pixel) * (1 - far).clip(0) ** 2
    moved = moved * smooth_step(side.out[:, across], 0.5, 2.0)
    place = np.indices(moved.shape, np.float32)
    place[0] -= moved
    chest.vessels[rows, across] = map_coordinates(chest.vessels[rows, across], place, order=1, mode="nearest")


def _right_upper(side: LungView, severity: float) -> Float32:
    """Return the area above the minor fissure, which rises from the hilum to the apex, concave below."""
    hilum = side.hilum
    t = ((side.out - np.float32(hilum[0] - 1)) / np.float32(side.edge(hilum[1]) - hilum[0])).clip(0, 1)
    up = np.float32((0.3 + 0.45 * severity) * (hilum[1] - side.top))
    fissure = np.float32(hilum[1] + 0.5) - up * t**0.7
    return smooth_step(np.asarray(fissure + _fissure_wave(side.out) - side.y, np.float32), -0.15, 0.5)


def _middle(side: LungView, severity: float) -> Float32:
    """Return a wedge below the hilum that hides the right heart border, with the minor fissure displaced downward."""
    out, y = side.hilum
    fissure = np.float32(y + 2.0) + np.float32(0.45 + 0.35 * severity) * (side.out - np.float32(out))
    below = smooth_step(np.asarray(side.y - fissure + _fissure_wave(side.out), np.float32), -0.2, 0.6)
    above = smooth_step(np.asarray(np.float32(y + 9.5) - side.y, np.float32), 0.0, 3.5)
    far = side.out - np.float32(side.beside(y + 5))
    return np.float32(0.8) * below * above * (1 - smooth_step(far, 0.2, 3.4 + 0.6 * severity))


def _left_upper(side: LungView, severity: float) -> Float32:
    """Return a veil above the hilum with no lower border, because the lobe lies in front of the lung."""
    out, y = side.hilum
    far = ((side.out - np.float32(out)) / np.float32(6.0 + severity)) ** 2 + (
        (side.y - np.float32(y - 2)) / np.float32(7.5)
    ) ** 2
    return np.float32(0.7) * smooth_step(1 - far, 0.0, 0.9)


def _lower(side: LungView, severity: float) -> Float32:
    """Return a triangle beside the spine, bounded by the major fissure and the medial diaphragm."""
    top, bottom = side.hilum[1] + 0.5, side.dome(3.0) + 2.5
    t = ((side.y - np.float32(top)) / np.float32(bottom - top)).clip(0, 1.3)
    wide = 3.4 + 2.4 * severity
    if side.name == "left":  # extend past the heart border, or it would be hidden
        wide = max(wide, side.beside(bottom - 4) - 1.2 + 1.2 * severity)
    border = np.float32(1.6) + np.float32(wide) * t**1.35
    beside = np.asarray(border + _fissure_wave(side.y) - side.out, np.float32)
    return smooth_step(beside, -0.2, 0.7) * smooth_step(side.y, top - 0.5, top + 1.5)


def _fissure_wave(along: Float32) -> Float32:
    """Return a slight waviness for the fissure."""
    return np.asarray(0.09 * np.sin(along * 1.3) + 0.05 * np.sin(along * 3.1), np.float32)
