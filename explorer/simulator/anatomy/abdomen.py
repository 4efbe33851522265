"""Abdominal organs below the diaphragm: liver and spleen, visible against the fat around them."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.shapes import ellipsoid, noise_field, smooth_step
from models.array_types import Float32

_FAT = np.float32(0.12)  # how much less fat attenuates than water (NIST XCOM)


def abdominal_fat(form: Form, beam: Beam) -> Float32:
    """Return how many cm of water (size, size) each ray lacks where fat and bowel replace solid organs.

    The liver fills the right side down to an edge that rises to the left; the left side contains the stomach and bowel,
    with the spleen lateral to them.
    """
    random = draws(beam.patient.seed, "abdomen", beam.patient.anatomy)
    stout = float(np.clip(1 + 0.5 * beam.patient.habitus, 0.5, 2))
    low, slope = float(random.uniform(7.5, 11)), float(random.uniform(0.3, 0.5))
    size = float(random.uniform(0.85, 1.2))
    x, y = beam.at(1.0)
    liver = smooth_step(y - form.dome_right - low + slope * x, -0.3, 0.9)  # 0 within the liver
    spared = 1 - (1 - liver) * (1 - smooth_step(x, 1.5, 5.0))
    place = (0.76 * form.half_width, form.dome_left + 4.2, -4.0)
    spleen = ellipsoid(beam, place, (2.6 * size, 3.8 * size, 0.5), 0.35)
    inside = smooth_step(y - form.dome_left, 0.8, 5.0) * (
        1 - smooth_step(np.abs(x), form.half_width - 3, form.half_width + 0.5)
    )
    clumps = (1 + 0.45 * noise_field(random, beam, 2.4)).clip(0)
    return np.asarray(_FAT * 7.0 * stout * inside * spared * clumps * (1 - 0.8 * spleen), np.float32)
