"""Structures in front of the ribs: pectoral muscles with the axillary fold, breasts and nipples."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.shapes import ellipsoid, noise_field, smooth_step
from models.array_types import Float32

_SIDES = (-1.0, 1.0)
_MUSCLE = {"F": 0.7, "M": 1.25}  # cm of pectoral muscle
_FAT = np.float32(0.88)  # attenuation of fat relative to water at chest energies
_NIPPLES = 0.07  # share of films with visible nipples


def pectorals(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the pectoral muscles: thin medially, with an edge lateral to the chest."""
    patient = beam.patient
    random = draws(patient.seed, "pectorals", patient.anatomy)
    aged = 1 - 0.35 * float(np.clip((patient.age - 50) / 45, 0, 1))
    thick = _MUSCLE[patient.sex] * aged * float(random.uniform(0.7, 1.4))
    x, y = beam.at(form.half_depth)
    across = np.abs(x)
    lower = form.apex + float(random.normal(14.0, 0.8))
    steep = float(random.uniform(0.38, 0.6))
    fold = lower - steep * (across - 2).clip(0) + 0.012 * (across - 2).clip(0) ** 2
    crisp = smooth_step(across, 0.5 * form.half_width, form.half_width)  # the edge is visible lateral to the chest wall
    under = smooth_step(y - fold, -5 + 4.2 * crisp, 1.5 - 1.1 * crisp)
    down = smooth_step(y, form.apex + 1, form.apex + 5) * (1 - under)
    out = smooth_step(across, 1, 5) * (1 - smooth_step(across, form.half_width + 2, form.half_width + 6))
    return np.asarray(thick * down * out, np.float32)


def breasts(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the breasts: no upper edge when upright; flat and lateral when supine."""
    patient = beam.patient
    random = draws(patient.seed, "breasts", patient.anatomy)
    woman = float(np.clip(random.normal(0.95, 0.3) + 0.4 * patient.habitus, 0.3, 2.1))
    size = woman if patient.sex == "F" else 0.16 * max(0.0, patient.habitus)
    lying = patient.lying
    hang = 13.3 * (0.4 + 0.6 * patient.inspiration) + 2.1 * size  # large ones reach below the domes
    hang += 0.025 * (patient.age - 40) + float(random.normal(0, 0.9))
    seen = 0.45 * (random.uniform() < _NIPPLES)
    path = np.zeros((beam.size, beam.size), np.float32)
    dots = np.zeros_like(path) if seen else None
    for sign in _SIDES:
        x = sign * (0.56 * form.half_width + 0.8 * size + (1.6 if lying else 0) + float(random.normal(0, 0.4)))
        place = (x, form.apex + hang - (1.5 if lying else 0) + float(random.normal(0, 0.5)), form.half_depth + 2)
        radii = (5.2 + 0.8 * size, 4.6 + 1.1 * size, 0.5)
        breast = ellipsoid(beam, place, radii, sign * 0.35) ** np.float32(2.0 if lying else 1.7)
        path += breast * smooth_step(beam.at(place[2])[1], place[1] - 6, place[1] + 4)
        if dots is not None:
            dots += ellipsoid(beam, (x + sign * 0.6, place[1] + 1.6 + 0.5 * size, place[2] + 1), (0.42, 0.42, 0.5), 0.0)
    thick = (2.9 if lying else 3.1) * size
    path *= _FAT * thick * (1 + np.float32(0.05) * noise_field(random, beam, 1.6))
    return np.asarray(path if dots is None else path + np.float32(seen) * dots, np.float32)
