"""The body's outline: trunk, neck, shoulders and arms, breasts, chest muscles and fat."""

from __future__ import annotations

import numpy as np

from explorer.phantom.anatomy.form import Form
from explorer.phantom.anatomy.heart import merged
from explorer.phantom.anatomy.lines import rounded
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.draws import draws
from explorer.phantom.shapes import curve, ellipsoid, field, smooth

_SIDES = (-1.0, 1.0)
_LEAN = {"PA": (0.35, 0.6), "AP": (0.2, 0.6)}  # elbows forward and out, or lying beside the trunk
_MUSCLE = {"F": 0.7, "M": 1.2}  # cm of chest muscle before the ribs
_FAT = np.float32(0.88)  # attenuation of fat over that of water at chest energies (NIST XCOM: 0.18 and 0.20 / cm)


def body(form: Form, beam: Beam) -> Floats:
    """Path (size, size) through the whole body as water, lungs included; fat counts less."""
    outside = _trunk(form, beam, form.wall)
    muscle = _trunk(form, beam, form.wall * 0.5)
    water = muscle + _FAT * (outside - muscle)
    return np.asarray(
        merged([water, *_upper(form, beam)], sharp=True) + _muscle(form, beam) + _breasts(form, beam), np.float32
    )


def _trunk(form: Form, beam: Beam, wall: float) -> Floats:
    x, y = beam.at(0)
    lats = 1.6 * smooth(y, form.apex + 22, form.apex + 9)
    waist = (0.55 * wall - 2.6) * smooth(y, form.apex + 20, form.dome_right + 14)  # slender ones are narrow there
    half = (form.half_width + wall) * (0.75 + 0.25 * smooth(y, form.apex - 4, form.apex + 8)) + lats + waist
    depth = (form.half_depth + 0.8 * wall) * (0.6 + 0.4 * smooth(y, form.apex - 6, form.apex + 12))
    inside = (1 - np.abs(x / half) ** np.float32(2.6)).clip(0)
    under = smooth(y - shoulder_line(form, np.abs(x)), 0, 6)
    return np.asarray(2 * depth * np.sqrt(inside) * under, np.float32)


def shoulder_line(form: Form, across: Floats) -> Floats:
    """y of the skin above the trapezius and the shoulder, at distances from the midline."""
    hollow = 4.0 * np.exp(-(across - _neck(form)) / 2.0)
    rounded_off = 0.16 * (across - form.half_width - 0.6 * form.wall - 1.0).clip(0) ** 2  # the deltoid
    return np.asarray(form.apex + 0.8 - 0.15 * (18 - across).clip(0) - hollow + rounded_off, np.float32)


def arm_lean(beam: Beam, sign: float) -> float:
    """How far outwards (cm per cm down) the upper arm on this side (-1 right, 1 left) is held."""
    random = draws(beam.patient.seed, "arms", beam.patient.center, "right" if sign < 0 else "left")
    return float(random.uniform(*_LEAN[beam.patient.view]))


def _neck(form: Form) -> float:
    """Half the neck's width."""
    return 5.4 + 0.5 * form.wall


def _upper(form: Form, beam: Beam) -> list[Floats]:
    """Neck, the slope of the trapezius, shoulders and arms."""
    x, y = beam.at(-2.0)
    a = np.abs(x)
    neck = 11.5 * np.sqrt((1 - (a / _neck(form)) ** 2).clip(0)) * (1 - smooth(y, form.apex - 2, form.apex + 4))
    deep = (y - shoulder_line(form, a)).clip(0)
    reach = form.half_width + 0.6 * form.wall
    slope = 13.0 * np.sqrt(1 - (1 - (deep / 7).clip(0, 1)) ** 2) * (1 - smooth(y - form.apex, 5, 15))
    slope *= np.sqrt(1 - smooth(a, reach - 2, reach + 5))
    return [neck, slope, *(_arm(form, beam, sign, reach) for sign in _SIDES)]


def _arm(form: Form, beam: Beam, sign: float, reach: float) -> Floats:
    """A shoulder's round cap and the upper arm that hangs from it."""
    lean, thick = arm_lean(beam, sign), 3.5 + 0.5 * form.wall
    shoulder, bend = thick + 0.6, thick + 5.0
    way = [(0.4, shoulder), (2.2, bend), (2.2 + 9 * lean, bend + 9), (2.2 + 26 * lean, bend + 26)]
    line = rounded([(sign * (reach + out), form.apex + down, -1.0) for out, down in way])
    return curve(beam, line, np.interp(np.arange(len(line)), (0, 5, 12), (thick, 0.95 * thick, 0.8 * thick)))


def _muscle(form: Form, beam: Beam) -> Floats:
    """The chest muscles, thin at the middle, to the fold before the armpit."""
    x, y = beam.at(form.half_depth)
    across = np.abs(x)
    fold = form.apex + 14.5 - 0.42 * (across - 2).clip(0)
    down = smooth(y, form.apex + 1, form.apex + 5) * (1 - smooth(y - fold, -5, 1.5))
    out = smooth(across, 1, 5) * (1 - smooth(across, form.half_width + 1, form.half_width + 5))
    return np.asarray(_MUSCLE[beam.patient.sex] * down * out, np.float32)


def _breasts(form: Form, beam: Beam) -> Floats:
    """Breasts hang: nothing is seen of their upper edge; lying, they flatten and slide to the side."""
    patient = beam.patient
    random = draws(patient.seed, "breasts", patient.center)
    woman = float(np.clip(random.normal(1.0, 0.3) + 0.4 * patient.habitus, 0.3, 2.2))
    size = woman if patient.sex == "F" else 0.18 * max(0.0, patient.habitus)
    path = np.zeros((beam.size, beam.size), np.float32)
    lying = patient.view == "AP"
    hang = 15.5 * (0.35 + 0.65 * patient.inspiration) + 1.8 * size + 0.02 * patient.age + float(random.normal(0, 1.0))
    for sign in _SIDES:
        x = sign * (0.58 * form.half_width + 0.9 * size + (1.6 if lying else 0) + float(random.normal(0, 0.4)))
        place = (x, form.apex + hang - (1.5 if lying else 0) + float(random.normal(0, 0.5)), form.half_depth + 2)
        breast = ellipsoid(beam, place, (5.6 + 0.9 * size, 4.8 + 1.1 * size, 0.5), sign * 0.35) ** np.float32(1.25)
        path += breast * smooth(beam.at(place[2])[1], place[1] - 6, place[1] + 4)
    thick = (3.6 if lying else 4.2) * size
    return np.asarray(_FAT * thick * path * (1 + 0.05 * field(random, beam, 1.6)), np.float32)
