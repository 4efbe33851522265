"""Clavicles and sternum.

A clavicle is an S with a broad end at the manubrium, a slim shaft and a flat end at the acromion (Gray's Anatomy). The
sternum is wide and thin and barely visible over the spine; rotation of the patient shows its borders.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.body import shoulder_line
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.lines import interpolate_along, segment_pairs
from explorer.simulator.anatomy.rib_course import bone_noise
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.shapes import smooth_step, tubes
from models.array_types import Float32

_SKIN = 1.8  # cm down from the shoulder's outline to the acromion
_INNER = 1.7  # cm, x of the end in the notch of the manubrium
_POINTS = 48
# Half the thickness (cm) at shares of the length, and relative density of compact bone: thin shells at both ends.
_AT = (0, 0.021, 0.043, 0.085, 0.15, 0.3, 0.5, 0.68, 0.76, 0.88, 0.95, 0.98, 1)
_THICK = (0.4, 0.82, 1.05, 1.08, 0.8, 0.58, 0.54, 0.62, 0.72, 0.7, 0.66, 0.5, 0.2)
_DENSE = (0.3, 0.4, 0.45, 0.5, 0.75, 1.05, 1.1, 0.95, 0.75, 0.62, 0.6, 0.6, 0.5)


def clavicle_course(form: Form, sign: float, up: float, random: np.random.Generator) -> Points:
    """Return an S (48, 3) from the manubrium outward: bowed forward first, then backward to the acromion."""
    t = np.linspace(0, 1, _POINTS)
    out = _INNER + t * (_shoulder(form) - _INNER)
    top = float(shoulder_line(form, np.array([out[-1]], np.float32))[0]) + _SKIN - up
    low = form.apex + 5.0 + float(random.normal(0, 0.15))
    arch, bow = float(random.normal(0.35, 0.35)), float(random.normal(0.55, 0.2))
    y = low + (top - low) * t - arch * np.sin(np.pi * t) + bow * np.sin(2 * np.pi * t)
    z = 6.5 - 6.5 * t + 1.2 * np.sin(2 * np.pi * t)
    return np.stack([sign * out, y, z], 1)


def _shoulder(form: Form) -> float:
    """Return x of the acromion: the arm is outside the chest wall, regardless of fat."""
    return form.half_width + 0.6 * min(form.wall, 3.5) + 1.6


def clavicle(
    beam: Beam, course: Points, whole: NDArray[np.bool_], stout: float, random: np.random.Generator
) -> Float32:
    """Return the path (size, size) through a clavicle with course (n, 3); `whole` (n - 1,) marks intact segments."""
    thick = stout * interpolate_along(len(course), _AT, _THICK) * (1 + 0.035 * bone_noise(random, (len(course),)))
    dense = interpolate_along(len(course), _AT, _DENSE)
    starts, ends, radii, depths = (
        each[whole] for each in (course[:-1], course[1:], segment_pairs(thick), segment_pairs(dense))
    )
    return np.float32(1.5) * tubes(beam, starts, ends, radii, 0.24, 0.74, depths)


def breastbone(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the manubrium and sternum: thin plates with a rim, notched on top."""
    x, y = beam.at(form.half_depth * 0.85)
    y = y - np.float32(form.apex)
    columns, rows = (slice(*np.searchsorted(at, ends)) for at, ends in ((x[0], (-3.2, 3.2)), (y[:, 0], (4.8, 20.6))))
    x, y = x[:, columns], y[rows]
    half = (
        2.3
        + 0.75 * np.exp(-(((y - 6.2) / 1.0) ** 2))
        - 0.9 * smooth_step(y, 6.5, 9.2)
        + 0.4 * smooth_step(y, 14.0, 18.0)
    )
    inside = half - np.abs(x)
    below = y - 5.3 + np.float32(0.1) * x**2  # the jugular notch
    rim = np.exp(-(((inside - 0.15) / 0.13) ** 2)) + np.exp(-(((below - 0.15) / 0.13) ** 2)) * (inside > 0)
    tall = smooth_step(below, 0.0, 0.3) * (1 - smooth_step(y, 19.0, 20.5))
    path = np.zeros((beam.size, beam.size), np.float32)
    path[rows, columns] = (
        tall * (0.28 * smooth_step(inside, 0.0, 0.3) + 0.22 * rim) * (1.6 - 0.6 * smooth_step(y, 8.0, 10.5))
    )
    return path
