"""Choose the points in a lung that the vessels supply."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.cage import chest_depth, chest_half_width
from explorer.simulator.anatomy.diaphragm import domes
from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.anatomy.heart import heart_frame
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws

_BARE = 1.3  # cm inside the pleura without visible vessels
_TRIES = 4  # candidate points drawn for each point kept


def supplied_points(form: Form, beam: Beam, side: str, sign: float, count: int) -> NDArray[np.float64]:
    """Return up to `count` points (n, 3) spread over a lung, with more of them below, as blood flow is when upright."""
    random = draws(beam.patient.seed, "vessels", beam.patient.anatomy, side)
    u, v, w, keep = random.uniform(0, 1, (4, _TRIES * count))
    dome = domes(form, beam)[side]
    floor = np.interp(u, np.abs(dome[:, 0]) / form.half_width, dome[:, 1])
    lower = 0.9 if beam.patient.lying else 0.78
    y = form.apex + 1.0 + _BARE + v**lower * (floor + 2.0 - _BARE - form.apex)
    wall = chest_half_width(form, y)
    x = u * (wall - _BARE)
    z = (2 * w - 1) * (chest_depth(form, y) * np.sqrt((1 - (x / wall) ** 2.5).clip(0)) / 2 - _BARE)
    healthy = form_of(beam.patient)  # an enlarged heart does not move the vessels
    f = heart_frame(replace(form, heart_width=healthy.heart_width, heart_x=healthy.heart_x))
    border = 0.85 * (f.left if sign > 0 else -f.right) * np.sqrt(((y - f.base) / (f.bottom - f.base)).clip(0, 1))
    beside = (y > f.base) & (x < border)  # on the film, the heart covers this area
    hidden = beside & ((z > -3) | (keep < 0.5))
    liver = (y > floor - 0.6) & ((z > -2) | (keep < 0.12))
    inside = (x > 2.4) & ~hidden & ~liver
    return np.asarray(np.stack([sign * x, y, z], 1)[inside][:count])
