"""The great vessels next to the aorta: arteries to neck and arm, venae cavae, azygos vein, pulmonary trunk."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.heart import carina_position, heart_frame
from explorer.simulator.anatomy.lines import segment_pairs, smooth_line
from explorer.simulator.beam import Beam
from explorer.simulator.shapes import ellipsoid, tubes
from models.array_types import Float32

VesselCourse = tuple[list[tuple[float, float, float]], float, float]  # points, radius at the first and at the last


def arteries(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through left subclavian, left carotid and brachiocephalic artery.

    The subclavian forms the left border above the knob: it leans over the apex and fades in the neck.
    """
    top, carina = form.apex, carina_position(form)[1]
    s = form.aorta_stretch
    return _vessel_paths(beam, [
        ([(1.3, carina - 1.8, -1.5), (1.75, top + 4.4, -1.8), (2.1, top + 2.2, -1.5), (3.1, top + 0.2, -1.0),
          (5.2, top - 0.9, 0.0)], 0.65, 0.5),
        ([(0.7, carina - 2.2, 0.5), (1.1, top + 2.5, 0.5), (2.0, top - 1.5, 0.5), (2.6, top - 6.0, 0.5)], 0.5, 0.4),
        ([(-0.9 - 0.5 * s, carina - 2.0, 2.5), (-1.5 - 0.5 * s, top + 3.0, 1.0), (-2.2, top + 1.0, 0.0),
          (-3.3, top - 0.7, -0.5), (-5.2, top - 1.0, 0.0)], 0.75, 0.5),
    ])  # fmt: skip


def veins(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the superior vena cava, from both arms to the right atrium, with a faint,
    slightly concave edge, and through the pulmonary trunk with its two arteries."""
    f, (_, carina, _) = heart_frame(form), carina_position(form)
    k = min(1.0, form.half_width / 13.3)  # an enlarged heart does not displace them
    top, atrium = form.apex, f.bottom - 8.0 * f.scale
    return _vessel_paths(beam, [
        ([(-3.3, top - 0.6, 1.5), (-2.4, top + 2.2, 2.5), (-2.2, carina - 2.5, 1.8), (-2.1, carina + 1, 1.2),
          (-2.1, atrium - 0.5, 1.0), (-1.5, atrium + 2, 1.0)], 0.8, 1.6),
        ([(2.8, top - 0.5, 2.0), (1.4, top + 2.2, 3.5), (0.2, carina - 3.0, 3.8), (-1.8, carina - 1.6, 2.5)],
         0.65, 0.75),
        ([(1.4 * k, atrium - 0.5, 4.5), (1.9 * k, carina + 4.0, 3.5), (2.3 * k, carina + 3.0, 1.5),
          (2.6 * k, carina + 2.4, -1.0)], 1.8, 1.4),
        ([(1.8 * k, carina + 3.2, 1.5), (-0.5, carina + 3.1, 0.5), (-2.4, carina + 3.2, 0.0),
          (-3.7, carina + 3.7, -0.5)], 1.1, 0.3),
        ([(2.6 * k, carina + 2.4, -1.0), (3.3, carina + 2.0, -1.5), (4.0, carina + 2.3, -2.0)], 1.2, 0.3),
    ])  # fmt: skip


def azygos(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the azygos arch, a knob over the right main bronchus, along the beam."""
    x, carina, _ = carina_position(form)
    return ellipsoid(beam, (x - 1.75, carina - 0.45, -1.0), (0.55, 0.75, 0.9), 0.3)


def _vessel_paths(beam: Beam, ways: list[VesselCourse]) -> Float32:
    lines = [smooth_line(way) for way, _, _ in ways]
    sizes = [segment_pairs(np.linspace(way[1], way[2], len(line))) for way, line in zip(ways, lines, strict=True)]
    starts, ends = np.concatenate([line[:-1] for line in lines]), np.concatenate([line[1:] for line in lines])
    return tubes(beam, starts, ends, np.concatenate(sizes))
