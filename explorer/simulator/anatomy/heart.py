"""Draw the heart, chamber by chamber, resting on the diaphragm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.shapes import ellipsoid
from models.array_types import Float32

_RIGHT = 3.7  # minimum cm that the right atrium extends past the midline, so that the spine does not hide its border


@dataclass(frozen=True, slots=True)
class HeartFrame:
    """The heart's borders in the film plane and its top and bottom, in cm."""

    right: float
    left: float
    base: float
    bottom: float

    @property
    def scale(self) -> float:
        """The height relative to an average heart."""
        return (self.bottom - self.base) / 12.5


def heart_frame(form: Form) -> HeartFrame:
    """Return the position of the heart in this form."""
    half = form.heart_width / 2
    bottom = (form.dome_right + form.dome_left) / 2 + 1.2
    carina = carina_position(form)[1]
    x = min(form.heart_x, half - _RIGHT)
    return HeartFrame(x - half, x + half, carina + 0.12 * (bottom - carina), bottom)


def carina_position(form: Form) -> tuple[float, float, float]:
    """Return the position of the carina; a high diaphragm pushes it up slightly."""
    return (0.1, form.apex + 0.28 * (form.dome_right - form.apex) + 1.6, -2.0)


def heart_chambers(form: Form, beam: Beam) -> list[Float32]:
    """Return paths (size, size) through the cardiac chambers.

    In order: right atrium, left ventricle, right ventricle, left atrium, right ventricular outflow tract, left
    atrial appendage and inferior vena cava. The right heart border on the film is the right atrium. The left border
    is the left ventricle, with the appendage above it.
    """
    f = heart_frame(form)
    s, width = f.scale, f.left - f.right
    k = width / 12.0
    deep = 0.65 + 0.45 * k  # a wide heart is also deep
    still = 3.3 + max(k - 1, 0)  # an enlarged left ventricle covers everything below the pulmonary trunk
    out = min(f.right + 6.6 * k, still - 0.5)
    elderly = float(np.clip((beam.patient.age - 50) / 40, 0, 1))
    lying = 0.13 * float(np.clip(beam.patient.habitus - 0.2, -1, 1.5))  # obesity makes the heart lie more horizontally
    sunk = float(draws(beam.patient.seed, "apex", beam.patient.anatomy).uniform(1.3, 2.8))
    turn = max(0.86 - 0.9 * (k - s) - lying, 0.5)
    long, short = 6.9 * (k + s) / 2, (3.9 + 0.35 * elderly) * (k + s) / 2
    tall = (0.9 * (f.bottom - f.base) + sunk) / 2  # an enlarged heart does not reach the aortic arch
    short = min(short, float(np.sqrt(max(tall**2 - (long * np.sin(turn)) ** 2, 4.0)) / np.cos(turn)))
    reach = float(np.hypot(long * np.cos(turn), short * np.sin(turn)))
    drop = float(np.hypot(long * np.sin(turn), short * np.cos(turn)))
    return [
        ellipsoid(beam, (f.right + 3.3 * k, f.bottom - 4.0 * s, 2.0), (3.4 * k, 5.0 * s, 5.0 * deep), 0.06),
        ellipsoid(beam, (f.left - reach, f.bottom - drop + sunk, 1.5), (long, short, 5.2 * deep), turn),
        ellipsoid(beam, (f.right + 5.8 * k, f.bottom - 2.2 * s, 3.5), (4.8 * k, 3.6 * s, 5.6 * deep), 0.1),
        ellipsoid(beam, (f.right + 4.7 * k, f.bottom - 8.4 * s, -1.0), (3.8 * k, 2.9 * s, 4.4 * deep)),
        ellipsoid(beam, (out, f.bottom - 6.6 * s, 4.0), (2.9 * k, 4.0 * s, 4.2 * deep), -0.25),
        ellipsoid(beam, (min(f.left - 4.9 * k, still), f.bottom - 8.6 * s, 1.0), (1.9 * k, 2.7 * s, 2.5), -0.5),
        ellipsoid(beam, (f.right + 2.3 * k, f.bottom - 0.2, 0.0), (1.4, 2.2, 1.4), 0.15),
    ]


def fat_pads(form: Form, beam: Beam) -> list[Float32]:
    """Return paths (size, size) through the cardiophrenic fat pads; slender patients have little fat."""
    f, stout = heart_frame(form), float(np.clip(beam.patient.habitus + 0.8, 0, 2.5))
    place = draws(beam.patient.seed, "pads", beam.patient.anatomy).uniform(0.6, 1.4, 2)
    left, right = 0.8 * stout * float(place[0]), 0.4 * stout * float(place[1])
    ways = [
        ellipsoid(beam, (f.left - 1.9, form.dome_left - 0.2, 4.0), (2.1 + left, 1.9 + 0.5 * left, 0.65), -0.6),
        ellipsoid(beam, (f.right + 1.4, form.dome_right - 0.1, 4.0), (1.7 + right, 1.6 + right, 0.6), 0.6),
    ]
    return [way * np.sqrt(way) * np.float32(1.9) for way in ways]  # the pads have no sharp edge


def merge_paths(parts: list[Float32], sharp: bool = False) -> Float32:
    """Merge overlapping bodies into one path: the longest path, rounded where they meet.

    Uses the 3-norm, or the 6-norm with `sharp`, which rounds less.
    """
    most = np.maximum.reduce(parts)
    scale = 1 / most.clip(np.float32(1e-3))
    total = np.zeros_like(most)
    for part in parts:
        share = part * scale
        cube = share * share * share
        total += cube * cube if sharp else cube
    root = np.cbrt(total)
    return np.asarray(most * (np.sqrt(root) if sharp else root), np.float32)
