"""The body's outline: trunk, neck, shoulders and arms, with subcutaneous fat."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.front import breasts, pectorals
from explorer.simulator.anatomy.head import chin
from explorer.simulator.anatomy.heart import merge_paths
from explorer.simulator.anatomy.lines import smooth_line
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.shapes import curved_tube, smooth_step
from models.array_types import Float32

_SIDES = (-1.0, 1.0)
_LEAN = {"PA": (0.3, 0.7), "AP": (0.12, 0.65)}  # elbows forward and out, or arms beside the trunk
_SKULL = np.float32(2.3)  # path through the skull relative to the path through the face
_FAT = np.float32(0.88)  # attenuation of fat relative to water at chest energies (NIST XCOM: 0.18 and 0.20 / cm)


def body(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the body, including the lungs, as if it were water; fat counts less."""
    outside = _trunk(form, beam, form.wall)
    muscle = _trunk(form, beam, form.wall * 0.5)
    water = muscle + _FAT * (outside - muscle)
    front = pectorals(form, beam) + breasts(form, beam) + _throat(form, beam)
    parts, face = [water, *_upper(form, beam)], chin(form, beam)
    if face is not None:
        parts.append(_SKULL * face)
        front += face
    return np.asarray(merge_paths(parts, sharp=True) + front, np.float32)


def _trunk(form: Form, beam: Beam, wall: float) -> Float32:
    x, y = beam.at(0)
    lats = 1.6 * smooth_step(y, form.apex + 22, form.apex + 9)
    waist = (0.55 * wall - 2.6) * smooth_step(y, form.apex + 20, form.dome_right + 14)  # narrow in slender patients
    half = (form.half_width + wall) * (0.75 + 0.25 * smooth_step(y, form.apex - 4, form.apex + 8)) + lats + waist
    depth = (form.half_depth + 0.8 * wall) * (0.6 + 0.4 * smooth_step(y, form.apex - 6, form.apex + 12))
    inside = (1 - np.abs(x / half) ** np.float32(2.6)).clip(0)
    under = smooth_step(y - shoulder_line(form, np.abs(x)), 0, 6)
    return np.asarray(2 * depth * np.sqrt(inside) * under, np.float32)


def shoulder_line(form: Form, across: Float32) -> Float32:
    """Return y of the skin above the trapezius and shoulder at distances from the midline."""
    hollow = (4.6 + 0.4 * form.wall) * np.exp(-(across - _neck(form)) / 3.2)
    rounded_off = 0.16 * (across - form.half_width - 0.6 * form.wall - 1.0).clip(0) ** 2  # the deltoid
    return np.asarray(form.apex + 0.8 - 0.15 * (18 - across).clip(0) - hollow + rounded_off, np.float32)


def arm_lean(beam: Beam, sign: float) -> float:
    """Return how far outward (cm per cm down) the upper arm is held on this side (-1 right, 1 left)."""
    random = draws(beam.patient.seed, "arms", beam.patient.anatomy, "right" if sign < 0 else "left")
    return float(random.uniform(*_LEAN[beam.patient.view]))


def _neck(form: Form) -> float:
    """Return half the neck's width."""
    return 4.9 + 0.45 * form.wall


def _upper(form: Form, beam: Beam) -> list[Float32]:
    """Return neck, trapezius slope, shoulders and arms."""
    x, y = beam.at(-2.0)
    a = np.abs(x)
    rising = 0.07 * (form.apex - 5 - y).clip(0)  # the neck widens toward the jaw
    neck = (
        11.5
        * np.sqrt((1 - (a / (_neck(form) + rising)) ** 2).clip(0))
        * (1 - smooth_step(y, form.apex - 4, form.apex + 5))
    )
    deep = (y - shoulder_line(form, a)).clip(0)
    reach = form.half_width + 0.6 * form.wall
    slope = 13.0 * np.sqrt(1 - (1 - (deep / 7).clip(0, 1)) ** 2) * (1 - smooth_step(y - form.apex, 5, 15))
    slope *= np.sqrt(1 - smooth_step(a, reach - 2, reach + 5))
    return [neck, slope, *(_arm(form, beam, sign, reach) for sign in _SIDES)]


def _arm(form: Form, beam: Beam, sign: float, reach: float) -> Float32:
    """Return a rounded shoulder and the upper arm below it."""
    lean, thick = arm_lean(beam, sign), 3.5 + 0.5 * form.wall
    shoulder, bend = thick + 0.6, thick + 5.0
    way = [(0.4, shoulder), (2.2, bend), (2.2 + 9 * lean, bend + 9), (2.2 + 26 * lean, bend + 26)]
    line = smooth_line([(sign * (reach + out), form.apex + down, -1.0) for out, down in way])
    return curved_tube(beam, line, np.interp(np.arange(len(line)), (0, 5, 12), (thick, 0.95 * thick, 0.8 * thick)))


def _throat(form: Form, beam: Beam) -> Float32:
    """Return the sternomastoids from the mastoids to the clavicles' sternal ends, and the hollows beside them."""
    film = np.zeros((beam.size, beam.size), np.float32)
    x, y = beam.at(4.0)
    rows = int((y[:, 0] < form.apex + 5).sum())
    across, down = np.abs(x), y[:rows] - np.float32(form.apex)
    edge = (
        np.float32(2.2) - np.float32(0.24) * (down - 4.5) - np.float32(0.014) * (down - 4.5) ** 2
    )  # the muscle's outer border
    strap = smooth_step(edge - across, -0.4, 0.6) * (1 - smooth_step(edge - across, 1.2, 2.6))
    hollow = np.exp(-(((across - edge - 2.4) / 2.0) ** 2) - ((down - 0.3) / 2.2) ** 2)
    film[:rows] = (0.7 * strap - (1.1 - 0.2 * min(form.wall, 5.0)) * hollow) * (1 - smooth_step(down, 2.5, 4.5))
    return film
