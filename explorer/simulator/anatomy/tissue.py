"""Add the texture of soft tissue: muscle bundles, fat lobules and the planes between them."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.shapes import noise_field, smooth_step
from models.array_types import Float32

_LOBULES = np.float32(0.011)  # fraction of the path; fat attenuates a tenth less than muscle
_BUNDLES = np.float32(0.01)
_ORGANS = np.float32(0.022)
_TURNED = 0.3  # fraction of the path that one side gains per radian of rotation, as its muscles turn into the beam


def tissue_texture(form: Form, beam: Beam) -> Float32:
    """Return a factor (size, size) on the path through soft tissue; streaks of muscle appear only outside the chest."""
    random = draws(beam.patient.seed, "tissue", beam.patient.anatomy)
    x, y = beam.at(0.0)
    outside = smooth_step(np.abs(x), form.half_width - 1, form.half_width + 2)
    outside = np.maximum(outside, 1 - smooth_step(y, form.apex - 2, form.apex + 1))
    outside = outside * (
        1 - 0.75 * smooth_step(y, form.apex + 11, form.apex + 17)
    )  # below the shoulder muscles it is fat
    streaks = np.zeros((beam.size, beam.size), np.float32)
    for sign in (-1.0, 1.0):
        lean, cell = sign * float(random.uniform(0.5, 0.9)), float(random.uniform(0.5, 0.7))
        across = x * np.float32(lean) + y + np.float32(0.035) * (np.abs(x) - 16) ** 2
        wave = np.sin(across * np.float32(2.4 / cell) + 2.2 * noise_field(random, beam, 2.6))
        streaks += wave * (np.sign(x) == sign) * (0.6 + 0.4 * noise_field(random, beam, 3.5)).clip(0)
    turned = np.float32(_TURNED * np.sin(beam.patient.rotation)) * (x / np.float32(form.half_width)).clip(-1, 1)
    lumps = turned + _ORGANS * noise_field(random, beam, 3.2) + _LOBULES * noise_field(random, beam, 0.9)
    return np.asarray(1 + lumps + _BUNDLES * outside * streaks, np.float32)
