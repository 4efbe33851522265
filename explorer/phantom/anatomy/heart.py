"""The heart out of its chambers, lying on the diaphragm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.phantom.anatomy.form import Form
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.shapes import ellipsoid


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the heart sits: its borders on the film's plane and its height from base to bottom, cm."""

    right: float
    left: float
    base: float
    bottom: float

    @property
    def scale(self) -> float:
        """Height over that of an average heart."""
        return (self.bottom - self.base) / 12.5


def frame(form: Form) -> Frame:
    """The heart's frame in this form."""
    half = form.heart_width / 2
    bottom = (form.dome_right + form.dome_left) / 2 + 1.2
    carina = carina_of(form)[1]
    return Frame(form.heart_x - half, form.heart_x + half, carina + 0.12 * (bottom - carina), bottom)


def carina_of(form: Form) -> tuple[float, float, float]:
    """Where the trachea divides; a high diaphragm pushes it up a little."""
    return (0.4, form.apex + 0.28 * (form.dome_right - form.apex) + 1.6, -2.0)


def chambers(form: Form, beam: Beam) -> list[Floats]:
    """Paths (size, size) through right atrium, both ventricles, left atrium, its appendage and the inferior cava.

    Right and left border of the film's heart are right atrium and left ventricle (with the appendage above it).
    """
    f = frame(form)
    s, width = f.scale, f.left - f.right
    k = width / 12.0
    deep = (1 + k) / 2  # a wide heart is deep too
    over = max(k - 1.1, 0.0)  # a large ventricle takes the appendage into its outline
    turn = 0.92 - 0.9 * (k - s)
    long, short = 6.9 * (k + s) / 2, 4.0 * (k + s) / 2
    reach = float(np.hypot(long * np.cos(turn), short * np.sin(turn)))
    drop = float(np.hypot(long * np.sin(turn), short * np.cos(turn)))
    return [
        ellipsoid(beam, (f.right + 3.3 * k, f.bottom - 4.0 * s, 2.0), (3.4 * k, 5.0 * s, 5.0 * deep), 0.06),
        ellipsoid(beam, (f.left - reach, f.bottom - drop + 1.5, 1.5), (long, short, 5.2 * deep), turn),
        ellipsoid(beam, (f.right + 5.8 * k, f.bottom - 2.2 * s, 3.5), (4.8 * k, 3.6 * s, 5.6 * deep), 0.1),
        ellipsoid(beam, (f.right + 4.7 * k, f.bottom - 8.4 * s, -1.0), (3.7 * k, 2.7 * s, 3.6 * deep)),
        ellipsoid(
            beam, (f.left - 4.9 * k - 1.6 * over, f.bottom - 8.6 * s, 1.0), (2.1 * k, (2.9 + over) * s, 3.8), -0.45
        ),
        ellipsoid(beam, (f.right + 2.3 * k, f.bottom - 0.2, 0.0), (1.4, 2.2, 1.4), 0.15),
    ]


def merged(parts: list[Floats], sharp: bool = False) -> Floats:
    """Several bodies as one: their longest path, rounded where they meet (the 3-norm; `sharp` less so, the 6-norm)."""
    most = np.maximum.reduce(parts)
    scale = 1 / most.clip(np.float32(1e-3))
    total = np.zeros_like(most)
    for part in parts:
        share = part * scale
        cube = share * share * share
        total += cube * cube if sharp else cube
    root = np.cbrt(total)
    return np.asarray(most * (np.sqrt(root) if sharp else root), np.float32)
