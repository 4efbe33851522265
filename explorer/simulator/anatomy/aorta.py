"""The aorta: root, arch with its knob, and descending part along the spine."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.heart import carina_position, heart_frame
from explorer.simulator.anatomy.lines import smooth_line
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.shapes import curved_tube, ellipsoid
from models.array_types import Float32

_KNOB = 6  # index of the knob on the aorta's line


def aorta_course(form: Form) -> Points:
    """Return the aorta's center line from root to diaphragm; the arch's knob is left of the carina."""
    f, knob = heart_frame(form), carina_position(form)[1] - 1.0
    r, s = form.aorta_radius, form.aorta_stretch
    out, root = form.aorta_bulge - r, f.bottom - 8.0 * f.scale
    end = f.bottom + 3.0
    t = np.linspace(0, 1, 7)[1:]
    down = np.stack([
        (out + 0.1) * (1 - t) + 0.9 * t + 1.9 * s * np.sin(np.pi * t) + form.spine_bend * np.sin(np.pi * t) * 0.6,
        knob + 0.7 + t * (end - knob - 0.7),
        -4.2 - 1.2 * np.sin(np.pi * t),
    ], 1)  # fmt: skip
    rising = np.array([
        (0.9 - 0.3 * s, root, 2.5), (-0.7 - 1.3 * s, root - 0.45 * (root - knob), 3.3),
        (-0.9 - 1.4 * s, knob + 2.6, 3.0), (-0.1 - 0.6 * s, knob - 0.1, 2.0), (0.8, knob - 0.9 - 0.5 * s, 0.5),
        (0.55 * out + 0.5, knob - 0.8 - 0.6 * s, -1.5), (out, knob + 0.1 - 0.35 * s, -3.4),
    ])  # fmt: skip
    return np.concatenate([rising, down])


def aortic_arch(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through root and arch; the arch runs along the beam, so its knob is dense."""
    line, r = aorta_course(form), form.aorta_radius
    x, y, _ = line[_KNOB]
    knob = ellipsoid(beam, (x - 0.05, y + 0.15, -1.5), (r + 0.05, r + 0.3, 1.9))
    return np.maximum(curved_tube(beam, smooth_line(line[: _KNOB + 1]), r), knob)


def descending_aorta(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the aorta behind the heart, tapering to the diaphragm."""
    line = smooth_line(aorta_course(form)[_KNOB:])
    return curved_tube(beam, line, form.aorta_radius * np.linspace(1, 0.86, len(line)))
