"""The aorta and the great vessels of the upper mediastinum."""

from __future__ import annotations

import numpy as np

from explorer.phantom.anatomy.form import Form
from explorer.phantom.anatomy.heart import carina_of, frame
from explorer.phantom.anatomy.lines import rounded
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.chest import Points
from explorer.phantom.shapes import curve, ellipsoid

_KNOB = 6  # point of the aorta's line that is its knob


def aorta_of(form: Form) -> Points:
    """The aorta's middle line from the root over the arch, whose knob is left of the carina, down to the diaphragm."""
    f, knob = frame(form), carina_of(form)[1] - 1.0
    r, s = form.aorta_radius, form.aorta_stretch
    out, root = form.aorta_bulge - r, f.bottom - 8.0 * f.scale
    end = f.bottom + 3.0
    t = np.linspace(0, 1, 7)[1:]
    descending = np.stack([
        (out - 0.25) * (1 - t) + 0.9 * t + 1.6 * s * np.sin(np.pi * t) + form.spine_bend * np.sin(np.pi * t) * 0.6,
        knob + 0.7 + t * (end - knob - 0.7),
        -4.2 - 1.2 * np.sin(np.pi * t),
    ], 1)  # fmt: skip
    rising = np.array([
        (0.9, root, 2.5), (-0.6 - 0.6 * s, root - 0.45 * (root - knob), 3.3), (-0.7 - 1.2 * s, knob + 1.6, 3.0),
        (-0.1 - 0.6 * s, knob - 0.1, 2.0), (0.8, knob - 0.9 - 0.5 * s, 0.5),
        (0.55 * out + 0.5, knob - 0.8 - 0.6 * s, -1.5), (out, knob + 0.1, -3.4),
    ])  # fmt: skip
    return np.concatenate([rising, descending])


def aorta(form: Form, beam: Beam) -> Floats:
    """Path (size, size) through the aorta; the arch runs along the beam, which makes its knob dense."""
    line, r = aorta_of(form), form.aorta_radius
    x, y, _ = line[_KNOB]
    knob = ellipsoid(beam, (x - 0.05, y + 0.15, -1.5), (r + 0.05, r + 0.25, 2.3))
    return np.maximum(curve(beam, rounded(line), r), knob)


def great_vessels(form: Form, beam: Beam) -> list[Floats]:
    """Paths (size, size) through superior cava, left brachiocephalic vein, left subclavian and brachiocephalic artery,
    azygos arch, pulmonary trunk, right and left pulmonary artery."""
    f, (_, carina, _) = frame(form), carina_of(form)
    top, k, atrium = form.apex, min(1.0, (f.left - f.right) / 12.0), f.bottom - 8.0 * f.scale
    ways = (
        ([(-3.2, top - 0.5, 1.5), (-2.1, top + 2.6, 2.5), (-1.9, carina - 1, 1.5), (-1.9, carina + 2, 1.0),
          (-1.3, atrium + 1, 1.0)], 0.8, 1.8),
        ([(2.6, top - 0.5, 2.0), (1.4, top + 2.2, 3.5), (0.2, carina - 3.0, 3.8), (-1.8, carina - 1.6, 2.5)],
         0.65, 0.75),
        ([(1.3, carina - 1.8, -1.5), (1.6, top + 4.2, -1.5), (1.8, top + 1.6, -1.0), (2.8, top - 1.0, -0.5),
          (5.0, top - 1.6, 0.0)], 0.6, 0.5),
        ([(-0.9, carina - 2.0, 2.5), (-1.5, top + 3.0, 1.0), (-2.2, top + 1.0, 0.0), (-3.3, top - 1.0, -0.5),
          (-5.0, top - 1.6, 0.0)], 0.8, 0.5),
        ([(-1.0, carina + 0.6, -3.5), (-2.1, carina - 0.2, -2.5), (-2.3, carina - 0.6, 0.0)], 0.4, 0.5),
        ([(1.6 * k, atrium - 0.5, 4.5), (2.0 * k, carina + 3.8, 3.5), (2.2 * k, carina + 2.8, 1.5),
          (2.5 * k, carina + 2.3, -1.0)], 1.9, 1.5),
        ([(1.8 * k, carina + 3.2, 1.5), (-0.5, carina + 3.1, 0.5), (-2.4, carina + 3.2, 0.0),
          (-3.7, carina + 3.7, -0.5)], 1.2, 0.3),
        ([(2.5 * k, carina + 2.3, -1.0), (3.3, carina + 1.9, -1.5), (4.0, carina + 2.2, -2.0)], 1.3, 0.3),
    )  # fmt: skip
    return [curve(beam, rounded(way), np.linspace(first, last, 4 * len(way) - 3)) for way, first, last in ways]
