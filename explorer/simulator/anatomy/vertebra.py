"""Draw one vertebra: a body whose end plates blur when tilted, pedicles, arch and processes.

Sizes follow anatomy textbooks: thoracic bodies are 2.6 to 4 cm wide and 1.7 to 2.5 cm high, pedicles lie in the
upper half of the body 1 to 1.4 cm from the midline, and spinous processes point down past the disk below.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.shapes import smooth_step
from models.array_types import Float32, Floating

_DEEP = 2.4  # cm, depth of a vertebral body from front to back


@dataclass(frozen=True, slots=True)
class VertebraView:
    """Vertebrae as the beam sees them; every field has shape (n,) unless noted."""

    height: Float32  # cm from disk to disk
    wide: Float32  # cm, half width of the body
    tilt: Float32  # radians between its end plates and the beam
    slope: Float32  # cm the axis shifts left per cm down: the vertebra leans to the side
    pedicles: Float32  # cm that rotation moves the pedicles to the left
    spine: Float32  # cm that rotation moves the spinous process to the left
    clear: Float32  # fraction of the detail that superimposed tissue does not hide
    odd: Float32  # (n, 6), or (6, m, 1) per row, standard deviation 1: random variation between vertebrae

    def of(self, which: NDArray[np.intp]) -> VertebraView:
        """Return the vertebra of each of m rows, with fields of shape (m, 1)."""

        def rows(value: Float32) -> Float32:
            return value[which][:, None]

        return VertebraView(rows(self.height), rows(self.wide), rows(self.tilt), rows(self.slope), rows(self.pedicles),
                    rows(self.spine), rows(self.clear), self.odd[which].T[:, :, None])  # fmt: skip


def body_half_width(height: Floating | float) -> Float32:
    """Return half the width (cm) of a body whose disks are `height` cm apart."""
    return np.asarray(0.8 + 0.33 * np.asarray(height), np.float32)


def vertebra(x: Float32, y: Float32, seen: VertebraView) -> Float32:
    """Return the path (rows, columns) through each row's vertebra; x and y (rows, 1) are relative to its center."""
    x, y = x - seen.slope * y, y + seen.slope * x
    half = np.float32(0.415) * seen.height
    path = _body(x, y, half, seen)
    for sign, wobble in ((-1, seen.odd[0]), (1, seen.odd[1])):
        off = np.float32(sign) * (x - seen.pedicles) - np.float32(0.05) * wobble
        oval = np.hypot((off - seen.wide * np.float32(0.64)) / 0.3, (y + half * np.float32(0.38)) / 0.48)
        ring = (np.float32(0.5) + np.float32(0.14) * wobble) * _gaussian((oval - 0.8) / 0.3)
        path += seen.clear * (ring - np.float32(0.12) * _gaussian(oval / 0.6))
        reach = smooth_step(off, 0.7 * seen.wide, seen.wide) * (1 - smooth_step(off, 2.3, 3.3))
        path += np.float32(0.45) * reach * _gaussian((y + np.float32(0.35) * half + np.float32(0.14) * off) / 0.42)
    back = x - seen.spine
    lamina = np.square(np.square(back / np.float32(0.9))) + np.square(np.square((y / half - 0.8) / 0.8))
    low = half * np.float32(1.15) + np.float32(0.08) * seen.odd[2]
    drop = np.hypot(back / np.float32(0.2), (y - low) / np.float32(0.5))
    process = (np.float32(0.6) + np.float32(0.12) * seen.odd[3]) * (1 - smooth_step(drop, 0.6, 1.3))
    path += np.float32(0.16) * np.exp(-lamina) + seen.clear * process
    return np.asarray(path, np.float32)


def _body(x: Float32, y: Float32, half: Float32, seen: VertebraView) -> Float32:
    """Return the path through waisted bodies of half height `half`.

    The end plates of a tilted body open to ellipses and fade.
    """
    waist = seen.wide * (1 - np.float32(0.09) * (1 - (y / half) ** 2).clip(0))
    edge = smooth_step(waist - np.abs(x), -0.15, 0.25)
    u = (np.abs(x) / waist).clip(0, 1)
    opening = np.float32(0.07) + np.float32(0.5 * _DEEP) * np.abs(np.sin(seen.tilt))
    blur = np.float32(0.14) + np.float32(0.25) * opening
    inside = smooth_step((half + np.float32(0.1) * opening - np.abs(y)) / blur, -1, 1)
    path = np.float32(0.9) * np.sqrt(1 - np.float32(0.9) * u**3) + np.float32(0.16) * seen.clear * smooth_step(
        u, 0.78, 0.97
    )
    rim, wide = opening * np.sqrt((1 - u**2).clip(0)), np.float32(0.12) + np.float32(0.25) * opening
    below = y > 0  # each half shows its own end plate
    plate = 1 + np.float32(0.25) * np.where(below, seen.odd[4], seen.odd[5])
    from_plate = np.where(below, y - half, -y - half)
    plates = plate * (_gaussian((from_plate - rim) / wide) + _gaussian((from_plate + rim) / wide))
    return np.asarray((path * inside + np.float32(0.5) * seen.clear / (1 + 3 * opening) * plates) * edge, np.float32)


def _gaussian(distance: Floating) -> Float32:
    return np.asarray(np.exp(-(distance**2)), np.float32)
