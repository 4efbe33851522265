"""Draw the scapula: a thin plate with dense borders, glenoid, spine and coracoid process."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.lines import interpolate_along, smooth_line
from explorer.simulator.anatomy.outline import fill_outline
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.scale import blur_map
from explorer.simulator.shapes import curved_tube, tubes
from models.array_types import Float32

_SOFT = 0.22  # cm over which the plate thins toward its borders


def scapula(form: Form, beam: Beam, sign: float, acromion: tuple[float, float], over: float, stout: float) -> Float32:
    """Return the path (size, size) through a scapula.

    `over` is how far the blade overlaps the lung, in cm; `acromion` is its distance from the midline and its y.
    """

    def line(*corners: tuple[float, float, float]) -> Points:
        return smooth_line([(sign * x, y, z) for x, y, z in corners], 8)

    out, top = acromion
    inner = form.half_width + min(0.3 * form.wall, 1.2) - 0.9 - over  # x where the medial border ends
    socket = out - 1.6
    upper, lower = (inner - 3.2, top + 1.6, -7.5), (inner + 0.2, top + 14.5, -8.0)
    waist, neck = 0.55 * lower[0] + 0.45 * socket - 0.35, 0.2 * lower[0] + 0.8 * socket - 0.5
    inside, outside = (
        (inner - 0.25, top + 13.7, -8.0),
        (inner + 0.75, top + 13.6, -8.0),
    )  # a rounded tip
    medial = line(upper, (inner - 3.0, top + 5.5, -8.0), (inner - 1.4, top + 11.0, -8.0), inside, lower)
    shaft = (waist, top + 10.0, -6.0), (neck, top + 6.6, -4.0)
    lateral = line(lower, outside, *shaft, (socket, top + 4.7, -2.5))
    above = line(upper, (inner - 0.8, top + 1.2, -6.5), (out - 4.0, top + 2.0, -3.5), (socket, top + 1.7, -2.5))
    rim = line((socket, top + 1.6, -2.5), (socket - 0.25, top + 3.2, -2.5), (socket, top + 4.8, -2.5))
    beak = line((out - 3.4, top + 2.6, -1.0), (out - 3.9, top + 1.8, 1.5), (out - 3.0, top + 1.9, 3.0))
    tip = ((out - 1.0, top + 0.9, -5.5), (out + 1.3, top + 0.7, -3.0))
    ridge = line((inner - 2.9, top + 3.6, -8.5), (out - 4.6, top + 2.0, -8.0), *tip)
    thin = [(medial, 0.42, 0.22), (above, 0.32, 0.16), (beak, 0.6 * stout, 0.3), (rim, 0.32, 0.8)]
    path = 0.4 * _blade(beam, np.concatenate([medial[:-1], lateral[:-1], above[::-1][:-1]])) + _line_paths(beam, thin)
    path += 0.36 * curved_tube(
        beam, lateral, stout * interpolate_along(len(lateral), (0, 0.6, 0.9, 1), (0.3, 0.5, 0.6, 0.2)), 0.5, 0.4
    )
    path += 0.6 * curved_tube(
        beam, ridge, stout * interpolate_along(len(ridge), (0, 0.8, 0.93, 1), (0.3, 0.6, 0.55, 0.12)), 0.28, 0.7
    )
    return np.asarray(path, np.float32)


def _blade(beam: Beam, outline: Points) -> Float32:
    """Return 1 (size, size) within the blade, fading toward its borders, so that it draws no line of its own."""
    return blur_map(fill_outline(beam, outline), _SOFT / beam.pixel)


def _line_paths(beam: Beam, lines: list[tuple[Points, float, float]]) -> Float32:
    """Return the path (size, size) through lines, each with a radius and a fraction of bone."""
    radii, shares = (np.repeat([line[k] for line in lines], [len(line[0]) - 1 for line in lines]) for k in (1, 2))
    starts, ends = (np.concatenate([line[0][part] for line in lines]) for part in (slice(None, -1), slice(1, None)))
    return tubes(beam, starts, ends, np.stack([radii, radii], 1), depth=np.stack([shares, shares], 1))
