"""The shoulder blade: a thin plate with dense borders, socket, spine and coracoid."""

from __future__ import annotations

import numpy as np

from explorer.phantom.anatomy.form import Form
from explorer.phantom.anatomy.outline import along, bowed, filled
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.chest import Points
from explorer.phantom.shapes import curve


def scapula(form: Form, beam: Beam, sign: float, acromion: tuple[float, float], over: float, stout: float) -> Floats:
    """Path (size, size) through a scapula whose blade lies `over` cm over the lung; acromion: x off the middle, y."""

    def line(*corners: tuple[float, float, float]) -> Points:
        return bowed(np.array([(sign * x, y, z) for x, y, z in corners]))

    out, top = acromion
    inner = form.half_width + min(0.3 * form.wall, 1.2) - 0.9 - over  # where the medial border ends
    socket = out - 1.6
    upper, lower = (inner - 3.2, top + 1.6, -7.5), (inner + 0.2, top + 14.5, -8.0)
    waist, neck = 0.55 * lower[0] + 0.45 * socket - 0.35, 0.2 * lower[0] + 0.8 * socket - 0.5
    medial = line(upper, (inner - 3.0, top + 5.5, -8.0), (inner - 1.4, top + 11.0, -8.0), lower)
    lateral = line(lower, (waist, top + 10.0, -6.0), (neck, top + 6.6, -4.0), (socket, top + 4.7, -2.5))
    above = line(upper, (inner - 0.8, top + 1.2, -6.5), (out - 4.0, top + 2.0, -3.5), (socket, top + 1.7, -2.5))
    rim = line((socket, top + 1.6, -2.5), (socket - 0.25, top + 3.2, -2.5), (socket, top + 4.8, -2.5))
    beak = line((out - 3.4, top + 2.6, -1.0), (out - 3.9, top + 1.8, 1.5), (out - 3.0, top + 1.9, 3.0))
    tip = ((out - 1.0, top + 0.9, -5.5), (out + 1.3, top + 0.7, -3.0))
    ridge = line((inner - 2.9, top + 3.6, -8.5), (out - 4.6, top + 2.0, -8.0), *tip)
    path = 0.26 * filled(beam, np.concatenate([medial[:-1], lateral[:-1], above[::-1][:-1]]))
    path += 0.35 * curve(beam, medial, 0.2)
    path += 0.5 * curve(beam, lateral, stout * along(len(lateral), (0, 0.6, 1), (0.3, 0.5, 0.7)), 0.35, 0.5)
    path += 0.4 * curve(beam, above, 0.18)
    path += 0.6 * curve(beam, ridge, stout * along(len(ridge), (0, 0.9, 1), (0.3, 0.65, 0.35)), 0.28, 0.7)
    path += 0.3 * curve(beam, beak, 0.6 * stout)
    return np.asarray(path + 0.8 * curve(beam, rim, 0.32), np.float32)
