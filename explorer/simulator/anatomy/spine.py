"""Place the vertebrae of the thoracic spine and draw the column on the film."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.vertebra import VertebraView, body_half_width, vertebra
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import smooth_step
from models.array_types import Float32

_FIRST = -1.5  # cm, top of T1 relative to the lung apex
_HIGH = np.linspace(1.85, 2.6, 12)  # cm from disk to disk
_DEPTH = -5.6  # cm, depth of the vertebral bodies
_BEHIND = -1.9, -4.6  # cm from the body to the pedicles and to the tips of the spinous processes
_ABOVE, _BELOW = 6, 5  # cervical and lumbar vertebrae that continue the column
_TILT = (-6, 0, 2, 6, 9, 12, 17), (-0.1, 0.26, 0.2, 0.03, -0.08, -0.15, 0.1)  # radians to the beam, from T1 on
_REACH = 4.2  # cm from the middle to the tips of the transverse processes, allowing for a tilted vertebra
_TURN = 0.11  # radians of vertebral rotation per cm of lateral deviation


def vertebra_centers(form: Form) -> Points:
    """Return the centers (12, 3) of the bodies of T1 to T12; kyphosis reduces their spacing and moves them back."""
    tilt = form.spine_round * np.linspace(0.8, -0.5, 12)
    y = form.apex + _FIRST + np.cumsum(_HIGH * np.cos(tilt)) - _HIGH / 2
    along = np.linspace(0, 1, 12)
    bend = form.spine_bend * np.sin(np.pi * np.clip(along * 1.08 - 0.02, 0, 1))
    return np.stack([bend, y, _DEPTH - 2.5 * form.spine_round * np.sin(np.pi * along)], 1)


def spinal_column(form: Form, beam: Beam, vertebrae: Points) -> Float32:
    """Return the path (size, size) through the cervical, thoracic and lumbar vertebrae in view."""
    middles, high = _extended_column(vertebrae)
    x, y = beam.at(float(vertebrae[:, 2].mean()))
    film = np.zeros((beam.size, beam.size), np.float32)
    columns = np.flatnonzero(np.abs(x[0]) < _REACH + np.abs(middles[:, 0]).max())
    if not len(columns):
        return film
    window = slice(columns[0], columns[-1] + 1)
    seen = _vertebra_views(form, beam, middles, high)
    for first in (0, 1):  # every second vertebra: only direct neighbors overlap
        which = np.arange(first, len(middles), 2)
        nearest = which[np.abs(y - middles[which, 1]).argmin(1)]
        dx = x[:, window] - middles[nearest, 0, None].astype(np.float32)
        film[:, window] += vertebra(dx, y - middles[nearest, 1, None].astype(np.float32), seen.of(nearest))
    return film


def _vertebra_views(form: Form, beam: Beam, middles: Points, high: NDArray[np.float64]) -> VertebraView:
    """Return how each vertebra (n, 3) appears to the beam: tilt, slope, rotation and visibility."""
    random = draws(beam.patient.seed, "spine")
    number = np.arange(len(middles), dtype=np.float64) - _ABOVE
    tilt = np.interp(number, *_TILT) + form.spine_round * np.linspace(1, -0.6, len(middles)) - beam.patient.lean
    tilt = tilt + random.normal(0, 0.05, len(middles))
    slope = np.gradient(middles[:, 0], middles[:, 1])
    turn = np.sin(beam.patient.rotation + _TURN * (middles[:, 0] - 0.3 * form.spine_bend))
    clear = 1 - 0.5 * smooth_step(middles[:, 1], form.apex + 9, form.dome_right) - 0.25 * smooth_step(number, 11, 13)
    wide = body_half_width(high) * random.normal(1, 0.03, len(middles))
    odd = random.normal(0, 1, (len(middles), 6))
    numbers = (high, wide, tilt, slope, turn * _BEHIND[0], turn * _BEHIND[1], clear, odd)
    return VertebraView(*(np.asarray(each, np.float32) for each in numbers))


def _extended_column(vertebrae: Points) -> tuple[Points, NDArray[np.float64]]:
    """Extend the thoracic bodies with cervical and lumbar ones; return the centers (n, 3) and heights (n,)."""
    up = vertebrae[0] + np.arange(_ABOVE, 0, -1)[:, None] * np.array([0.0, -1.75, 0.0])
    down = vertebrae[-1] + np.arange(1, _BELOW + 1)[:, None] * np.array([0.0, 3.0, 0.0])
    middles = np.concatenate([up, vertebrae, down])
    return middles, np.clip(np.gradient(middles[:, 1]), 1.4, 3.0)
