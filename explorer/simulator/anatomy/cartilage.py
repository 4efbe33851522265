"""Calcification of the costal cartilage, which increases with age."""

from __future__ import annotations

import numpy as np

from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import tubes
from models.array_types import Float32

_FROM, _FULL = 35, 85  # years; calcification is common from the fourth decade on
_LONG = 5.0  # cm of visible cartilage
_FLECKS = 14  # per rib


def cartilage(beam: Beam, ribs: dict[str, list[Points]]) -> Float32:
    """Return the path (size, size), as bone, through flecks of calcification beyond the ends of ribs 1 to 8.

    Cartilage calcifies along its edges in men and in its center in women (Navani et al., Am J Roentgenol 1970).
    """
    patient = beam.patient
    random = draws(patient.seed, "cartilage")
    much = float(np.clip((patient.age - _FROM) / (_FULL - _FROM), 0, 1)) * random.uniform(0.2, 1.0)
    pieces: list[tuple[Points, ...]] = []  # starts, ends, radii and shares of bone
    for side, sign in (("right", -1.0), ("left", 1.0)):
        for number, course in enumerate(ribs[side][:8]):
            tip, way = course[-1], course[-1] - course[-3]
            way = way * np.array([1.0, 0.8 if number < 4 else 0.2, 1.0])
            length, stout = _LONG, 1.0
            if number == 0:  # short, thick, and the first to calcify
                length, stout = 0.5 * _LONG, 2.2
                way = np.array([sign * 2.6, tip[1] + 0.9, tip[2]]) - tip
                gray = np.full((1, 2), 0.1 + 0.2 * much)  # all of it is visible, up to the manubrium
                pieces.append((tip[None], (tip + way)[None], np.array([[0.75, 0.6]]), gray))
            way /= max(np.linalg.norm(way[:2]), 1e-6)
            place = np.sort(random.uniform(0, 1, _FLECKS)) ** 1.5
            rim = random.normal(0, 0.12, _FLECKS)  # cm from the center line
            if patient.sex == "M":
                rim += 0.42 * random.choice([-1, 1], _FLECKS)
            across = np.array([-way[1], way[0], 0.0]) * sign
            at = tip + way * (length * place)[:, None] * np.array([1, 1, 0.0]) + across * rim[:, None]
            long = way * random.uniform(0.1, 0.5, _FLECKS)[:, None] * np.array([1, 1, 0.0])
            thick = random.uniform(0.03, 0.14, _FLECKS) * (1 - 0.7 * place) * much * stout
            pieces.append((at, at + long, np.stack([thick, thick], 1), np.ones((_FLECKS, 2))))
    starts, ends, radii, shares = (np.concatenate(each) for each in zip(*pieces, strict=True))
    return np.float32(1.6) * tubes(beam, starts, ends, radii, depth=shares)
