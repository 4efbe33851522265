"""Draw the clavicles, scapulae, humeri and sternum.

On a PA film, the arms are rolled forward and the scapulae clear the lungs. On an AP film, taken supine or sitting,
the scapulae overlap the upper lungs and the clavicles project higher over the apices.
"""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.body import arm_lean
from explorer.simulator.anatomy.breaks import CLAVICLE, apply_breaks, bridging_segments
from explorer.simulator.anatomy.clavicle import breastbone, clavicle, clavicle_course
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.lines import interpolate_along, segment_pairs, smooth_line
from explorer.simulator.anatomy.scapula import scapula
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import curved_tube, tubes
from models.array_types import Float32

_HEAD = 2.3  # cm, radius of the humeral head


def shoulder_girdle(form: Form, beam: Beam) -> tuple[Float32, dict[str, Points]]:
    """Return the path (size, size) through clavicles, scapulae and arms, and the clavicle courses from the sternum
    outward.
    """
    random = draws(beam.patient.seed, "shoulders", beam.patient.anatomy)
    bone = breastbone(form, beam)
    clavicles = {}
    in_bed = beam.patient.view == "AP"
    raised = random.normal(0, 0.45)  # cm by which the shoulders are raised
    over = random.normal(3.4 if in_bed else -0.5, 0.8)  # cm the scapula overlaps the lung
    stout = 1.0 if beam.patient.sex == "M" else 0.86
    for side, sign in (("right", -1.0), ("left", 1.0)):
        up, turn = raised + random.normal(0, 0.5), over + random.normal(0, 0.8)
        course = clavicle_course(form, sign, up, random)
        acromion = abs(float(course[-1, 0])), float(course[-1, 1])
        clavicles[side] = apply_breaks(course, form.breaks, side, CLAVICLE)
        whole = ~bridging_segments(len(course), form.breaks, side, CLAVICLE)
        bone += clavicle(beam, clavicles[side], whole, stout, random)
        bone += scapula(form, beam, sign, acromion, turn, stout)
        bone += _humerus(beam, sign, acromion, stout)
    return bone, clavicles


def _humerus(beam: Beam, sign: float, acromion: tuple[float, float], stout: float) -> Float32:
    """Return the path (size, size) through a humerus: cancellous head and hollow shaft."""
    out, top = acromion
    lean = arm_lean(beam, sign)
    corners = [(0.5, 3.0), (0.95, 4.6), (1.6, 8.0), (1.6 + 10 * lean, 18.0), (1.6 + 32 * lean, 40.0)]
    arm = smooth_line([(sign * (out + across), top + down, -1.5) for across, down in corners], 8)
    wide = stout * interpolate_along(len(arm), (0, 0.1, 0.2, 0.3, 0.5, 1), (0.98 * _HEAD, _HEAD, 2.0, 1.6, 1.25, 1.1))
    shell = interpolate_along(len(arm), (0, 0.12, 0.4), (0, 0, 0.75))  # the cortex of the shaft thins upward
    shaft = tubes(beam, arm[:-1], arm[1:], segment_pairs(wide), 0.25, 1.0, segment_pairs(shell))
    turn = np.linspace(-0.9, np.pi + 0.3, 20)  # from the joint over the top to the greater tubercle
    rim = arm[0] + 0.95 * stout * _HEAD * np.stack([-sign * np.cos(turn), -np.sin(turn), 0 * turn], 1)
    return np.asarray(0.26 * curved_tube(beam, arm, wide) + 1.6 * curved_tube(beam, rim, 0.07) + shaft, np.float32)
