"""Draw the lower part of the head that is in the field: chin, jaw and teeth."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.lines import smooth_line
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.shapes import curved_tube, smooth_step, tubes
from models.array_types import Float32

_DEPTH = 7.0  # cm, depth of the chin
_HALF = (6.0, 8.5)  # cm, half width of the face; height from the chin to its widest point
_CHEEK = np.float32(5.0)  # cm, tissue the face adds in front of the neck


def chin(form: Form, beam: Beam) -> Float32 | None:
    """Return the path (size, size) through the part of the face in front of the neck, or None when it is above the
    field.
    """
    x, y, rows = _chin_rays(form, beam)
    if not rows:
        return None
    film = np.zeros((beam.size, beam.size), np.float32)
    down = ((y - np.float32(_HALF[1] * -1)) / np.float32(_HALF[1])).clip(0)
    inside = (1 - np.abs(x / np.float32(_HALF[0])) ** np.float32(2.6) - down ** np.float32(2.4)).clip(0)
    film[:rows] = _CHEEK * inside ** np.float32(0.5) * smooth_step(-y, -0.1, 1.0)
    return film


def jaw(form: Form, beam: Beam) -> Float32 | float:
    """Return the path (size, size) through the mandible and the lower teeth, or 0 when the chin is above the field."""
    if not _chin_rays(form, beam)[2]:
        return 0.0
    x, turn, tooth = _head_position(beam)
    arch = np.array([(-5.2, -11.5, -5.0), (-4.7, -6.2, -3.0), (-3.2, -2.6, 0.0), (-1.3, -1.25, 1.5), (0.0, -1.1, 1.8)])
    arch = smooth_line(np.concatenate([arch, arch[-2::-1] * (-1, 1, 1)]), 5)
    thick = np.interp(np.abs(arch[:, 0]), (0, 1.5, 4.5, 5.2), (0.85, 0.95, 0.8, 0.45))
    bone = 0.75 * curved_tube(beam, _patient_points(form, arch, x, turn), thick, 0.3, 0.75)
    places = np.linspace(-2.3, 2.3, 9) + np.zeros((2, 1))
    rise = np.stack([-2.0 - 0.16 * places[0] ** 2, -3.6 - 0.2 * places[0] ** 2])
    roots, crowns = (np.stack([places[0], rise[k], np.full(9, 1.8)], 1)[tooth] for k in (0, 1))
    if not len(roots):
        return np.asarray(bone, np.float32)
    roots, crowns = _patient_points(form, roots, x, turn), _patient_points(form, crowns, x, turn)
    return np.asarray(bone + 0.8 * tubes(beam, roots, crowns, np.tile([0.12, 0.26], (len(roots), 1))), np.float32)


def _head_position(beam: Beam) -> tuple[float, float, np.ndarray]:
    """Return the x position of the chin, the tilt of the head, and which teeth are still present."""
    random = draws(beam.patient.seed, "head", beam.patient.anatomy)
    lying = beam.patient.lying
    x, turn = float(random.normal(0, 1.2 if lying else 0.4)), float(random.normal(0, 0.16 if lying else 0.04))
    return x, turn, random.uniform(size=9) > (beam.patient.age - 45) / 70


def _chin_rays(form: Form, beam: Beam) -> tuple[Float32, Float32, int]:
    """Return ray coordinates relative to the chin and along the head, and the number of film rows with the face."""
    x, y = beam.at(_DEPTH)
    rows = int((y[:, 0] < form.chin + 0.5).sum())
    middle, turn, _ = _head_position(beam)
    dx, dy = x - np.float32(middle), y[:rows] - np.float32(form.chin)
    return dx + np.float32(turn) * dy, dy - np.float32(turn) * dx, rows


def _patient_points(form: Form, points: np.ndarray, x: float, turn: float) -> np.ndarray:
    """Convert points relative to the chin to patient coordinates."""
    return np.stack([x + points[:, 0] - turn * points[:, 1], form.chin + points[:, 1] + turn * points[:, 0],
                     _DEPTH + points[:, 2]], 1)  # fmt: skip
