"""Draw the inside of the aerated lungs: fine texture and the minor fissure."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.vessels import hilum_centers
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.scale import blur_map
from explorer.simulator.shapes import curved_tube, noise_field, smooth_step
from models.array_types import Float32

_SHOWN = 0.55  # fraction of films that show the minor fissure


def lung_density(form: Form, beam: Beam) -> Float32:
    """Return the density (size, size) of aerated lung relative to water, with more blood in the lower lung."""
    random = draws(beam.patient.seed, "texture", beam.patient.anatomy)
    grains = [(0.034, 0.15), (0.024, 0.33), (0.018, 0.8)]
    texture = sum((a * noise_field(random, beam, cell) for a, cell in grains), np.float32(0))
    clouds = 0.04 * noise_field(random, beam, 2.5) + 0.03 * noise_field(random, beam, 5.0)
    base = 0.10 * smooth_step(beam.at(0)[1], form.apex + 4, form.dome_right + 4) - 0.05
    return np.asarray(form.lung * (1 + texture + clouds + base), np.float32)


def minor_fissure(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the minor fissure where it runs along the beam."""
    random = draws(beam.patient.seed, "fissure", beam.patient.anatomy)
    shown, lift, sag = float(random.uniform()), float(random.normal(0, 0.5)), float(random.normal(0.3, 0.3))
    x, y, _ = hilum_centers(form)["right"]
    out = -form.half_width * 0.97
    line: Points = np.stack(
        [
            np.linspace(x - 1, out, 24),
            y + 1.0 + lift * np.linspace(0, 1, 24) + sag * np.sin(np.linspace(0, 3, 24)),
            np.full(24, 2.0),
        ],
        1,
    )
    seen = 5.0 * (0.6 + noise_field(random, beam, 4.0)).clip(0, 1) if shown < _SHOWN else np.float32(0)
    return np.asarray(blur_map(curved_tube(beam, line, 0.05), 0.05 / beam.pixel) * seen, np.float32)
