"""Clavicles, shoulder blades, upper arms and breastbone.

In a PA film the arms are rolled forward and the blades clear the lungs; in an AP film, taken lying or sitting, they lie
over the upper lungs and the clavicles stand higher over the apices.
"""

from __future__ import annotations

import numpy as np

from explorer.phantom.anatomy.body import arm_lean, shoulder_line
from explorer.phantom.anatomy.breaks import CLAVICLE, broken
from explorer.phantom.anatomy.form import Form
from explorer.phantom.anatomy.outline import along, bowed, pairs
from explorer.phantom.anatomy.scapula import scapula
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.chest import Points
from explorer.phantom.draws import draws
from explorer.phantom.shapes import curve, smooth, tubes

# Half the thickness of a clavicle (cm) at shares of its length: a broad sternal end, slim where it bends back.
_THICK_AT = (0, 0.015, 0.04, 0.12, 0.5, 0.9, 0.96, 0.985, 1)
_SKIN = 1.8  # cm from the shoulder's outline down to the acromion
_THICK = (0.5, 0.68, 0.8, 0.74, 0.54, 0.64, 0.64, 0.55, 0.35)


def shoulder_girdle(form: Form, beam: Beam) -> tuple[Floats, dict[str, Points]]:
    """Path (size, size) through clavicles, scapulae and arms, and the clavicles' courses from the sternum outwards."""
    random = draws(beam.patient.seed, "shoulders", beam.patient.center)
    bone = _breastbone(form, beam)
    clavicles = {}
    lying = beam.patient.view == "AP"
    raised = random.normal(0, 0.45)  # cm that the shoulders are up
    over = random.normal(2.2 if lying else -0.6, 0.7)  # cm that the blade lies over the lung
    stout = 1.0 if beam.patient.sex == "M" else 0.86
    for side, sign in (("right", -1.0), ("left", 1.0)):
        up, turn = raised + random.normal(0, 0.4), over + random.normal(0, 0.8)
        course = _clavicle(form, sign, up)
        acromion = abs(float(course[-1, 0])), float(course[-1, 1])
        clavicles[side] = broken(course, form.breaks, side, CLAVICLE)
        thick = stout * along(len(clavicles[side]), _THICK_AT, _THICK)
        bone += np.float32(1.45) * curve(beam, clavicles[side], thick, 0.26, 0.75)
        bone += scapula(form, beam, sign, acromion, turn, stout)
        bone += _humerus(beam, sign, acromion, stout)
    return bone, clavicles


def _clavicle(form: Form, sign: float, up: float) -> Points:
    """An S from the manubrium out and back: forward bow first, then backward to the acromion."""
    t = np.linspace(0, 1, 48)
    out = 1.5 + t * (_shoulder(form) - 1.5)
    top = float(shoulder_line(form, np.array([out[-1]], np.float32))[0]) + _SKIN - up
    y = form.apex + 4.7 + (top - form.apex - 4.7) * t - 0.5 * np.sin(np.pi * t) + 0.35 * np.sin(2 * np.pi * t)
    z = 6.5 - 6.5 * t + 1.2 * np.sin(2 * np.pi * t)
    return np.stack([sign * out, y, z], 1)


def _shoulder(form: Form) -> float:
    """x of the acromion: the arm hangs outside the chest's wall, whatever fat lies on it."""
    return form.half_width + 0.6 * min(form.wall, 3.5) + 1.6


def _breastbone(form: Form, beam: Beam) -> Floats:
    """Path (size, size) through manubrium and sternum: wide, thin, hardly seen over the spine."""
    x, y = beam.at(form.half_depth * 0.85)
    y = y - np.float32(form.apex)
    half = 2.6 - 1.2 * smooth(y, 4.5, 9.0) + 0.4 * smooth(y, 14.0, 18.0)
    edge = smooth(half - np.abs(x), 0.0, 0.35)
    return np.asarray(0.3 * edge * smooth(y, 4.2, 4.6) * (1 - smooth(y, 19.0, 20.5)), np.float32)


def _humerus(beam: Beam, sign: float, acromion: tuple[float, float], stout: float) -> Floats:
    """Path (size, size) through an upper arm: spongy head, hollow shaft."""
    out, top = acromion
    lean = arm_lean(beam, sign)
    corners = [(0.5, 3.0), (0.95, 4.6), (1.6, 8.0), (1.6 + 10 * lean, 18.0), (1.6 + 32 * lean, 40.0)]
    arm = bowed(np.array([(sign * (out + across), top + down, -1.5) for across, down in corners]))
    wide = stout * along(len(arm), (0, 0.1, 0.2, 0.3, 0.5, 1), (2.25, 2.3, 2.0, 1.6, 1.25, 1.1))
    shell = along(len(arm), (0, 0.12, 0.4), (0, 0, 0.75))  # the shaft's wall thins out upwards
    shaft = tubes(beam, arm[:-1], arm[1:], pairs(wide), 0.25, 1.0, pairs(shell))
    return np.asarray(0.22 * curve(beam, arm, wide) + shaft, np.float32)
