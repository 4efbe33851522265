"""Draws the edges of the exposed field: covered by the workstation's shutter, or a pale unexposed strip."""

from __future__ import annotations

import numpy as np

from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.shapes import smooth_step
from models.array_types import Float32

_PENUMBRA = 0.2  # cm, half the width of the beam's edge
_PALE = 0.97  # gray of an unexposed strip
_STRAY, _FAR = 0.2, 0.7  # darkening of the strip by scatter at the field's edge, and its range in cm
_LEAK = 0.05  # share of the covered picture that still shows


def collimate(film: Float32, beam: Beam) -> Float32:
    """Return the film with everything outside the field covered; the field is rotated a little if the tube was."""
    random = draws(beam.patient.seed, "collimator", beam.patient.center)
    portable = beam.patient.center == "B"
    angle = random.normal(0, 0.025 if portable else 0.006)
    gaps = random.uniform(0.35, 1.4 if portable else 0.8, 4)
    open_sides = random.uniform(size=4) < (0.5 if portable else 0.75)
    shutter = random.uniform(size=4) < 0.75
    over = random.uniform(-0.5, 0.12, 4)  # cm between shutter and beam edge, mostly inside it
    half = beam.pixel * beam.size / 2
    x = beam.x - np.float32(beam.middle)
    y = beam.y - np.float32(beam.y.mean())
    across = x * np.float32(np.cos(angle)) + y * np.float32(np.sin(angle))
    down = y * np.float32(np.cos(angle)) - x * np.float32(np.sin(angle))
    for side, distance in enumerate((across, -across, down, -down)):
        if open_sides[side]:
            continue
        edge = half - float(gaps[side])
        pale = np.float32(_PALE) - np.float32(_STRAY) * np.exp(((edge - distance) / np.float32(_FAR)).clip(max=0))
        covered = smooth_step(distance, edge - _PENUMBRA, edge + _PENUMBRA)
        film = film + np.float32(1 - _LEAK) * covered * (pale - film)
        if shutter[side]:
            film = film * ((edge + over[side] - distance) / beam.pixel + 0.5).clip(0, 1)
    return np.asarray(film, np.float32)
