"""A bronchus and its artery seen end on above a hilum: a thin ring next to a dot of the same size (Felson)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.trunks import Point3D
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws

_SHOWN = 0.36  # fraction of lungs with a visible pair
_WALL = 0.045  # cm, half the thickness of the bronchial wall
_RUN = 0.4  # cm, length of the bronchus and of the artery along the ray
_CORNERS = 9  # corners of the ring; the first and the last are the same


def end_on(beam: Beam, hilum: Point3D, side: str, sign: float) -> tuple[Points, Points, Points, NDArray[np.float64]]:
    """Return segments (starts, ends, radii) of ring and dot, and their depth-to-width ratio (n, 2); may be empty."""
    random = draws(beam.patient.seed, "end on", beam.patient.anatomy, side)
    shown, size, turn = random.uniform((0, 0.2, 0), (1, 0.28, 6.3))
    middle = hilum + random.normal((1.1 * sign, -1.5, 2.0), (0.3, 0.5, 0.3))
    angle = np.linspace(0, 2 * np.pi, _CORNERS)
    ring = middle + size * np.stack([np.cos(angle), 0.9 * np.sin(angle), 0 * angle], 1)
    dot = middle + 1.9 * size * np.array([np.cos(turn), np.sin(turn), 0.0])
    starts, ends = np.concatenate([ring[:-1], dot[None]]), np.concatenate([ring[1:], dot[None] + 0.01])
    radii = np.array([_WALL] * (_CORNERS - 1) + [0.85 * size])[:, None].repeat(2, 1)
    count = len(starts) if shown < _SHOWN else 0
    return starts[:count], ends[:count], radii[:count], (_RUN / (2 * radii))[:count]
