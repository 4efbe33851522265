"""A bronchus and its artery seen end on above a hilum: a thin ring with a dot of the same size beside it (Felson)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.trunks import Place
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws

_SHOWN = 0.36  # share of lungs that show one
_WALL = 0.045  # cm, half the thickness of the bronchus's wall
_RUN = 0.4  # cm that both run along the ray
_CORNERS = 9  # of the ring, first and last the same


def end_on(beam: Beam, hilum: Place, side: str, sign: float) -> tuple[Points, Points, Points, NDArray[np.float64]]:
    """Pieces (starts, ends, radii) of the ring and the dot, and how much deeper (n, 2) than wide they are; or none."""
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
