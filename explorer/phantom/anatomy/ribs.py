"""The ribs: flat hoops with a dense shell, from the spine down round the side to the front.

Courses follow the anatomy books (Gray's Anatomy, ch. thorax): each rib leaves its vertebra, bends round at the angle,
drops towards the side and further towards its cartilage, the lower the steeper; ribs 11 and 12 end in the flank.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.anatomy.breaks import broken
from explorer.phantom.anatomy.form import Form
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.chest import Points
from explorer.phantom.draws import draws
from explorer.phantom.shapes import smooth, tubes

_RIBS = 12
_POINTS = 26  # along a rib
# How far round ribs 1 .. 12 reach, in degrees: 0 is the back, 90 the side, 180 the front. There cartilage begins.
_REACH = np.array([163, 162, 160, 158, 157, 155, 151, 144, 134, 120, 80, 48])
_HIGH = np.array([5.2, 5.4, 5.8, 6.2, 6.5, 6.6, 6.6, 6.5, 6.2, 5.6, 4.8, 4.0]) / 10  # cm, half a rib's height
_FLAT = 0.3  # cm, half its thickness
_OUTSIDE = 0.05  # cm between the lung's edge and the middle of the ribs beside it
_SHELL = 0.17  # of the half height; the core has some bone too
_CORE = 0.68  # share of the core that is no bone
_GAIN = np.float32(1.45)  # compact bone over what Chest counts as bone
_FRONT = np.float32(0.6)  # thinner, farther from the cortex of the angle, and poorer in mineral than the back
_TURN = np.pi / 2
_SIDE = (_TURN - 0.3, _TURN + 0.3)  # where the back of a rib passes into its front
_STEEPEST = 1.35  # a rib seen end on is no deeper than this many times its thickness


def rib_cage(
    form: Form, beam: Beam, vertebrae: Points, walls: dict[str, Points]
) -> tuple[Floats, dict[str, list[Points]]]:
    """Path (size, size) through the ribs and the courses of ribs 1 to 10 of each side, from the spine on."""
    random = draws(beam.patient.seed, "ribs")
    stout = float(np.clip(random.normal(1.0 if beam.patient.sex == "M" else 0.88, 0.06), 0.75, 1.15))
    courses: dict[str, list[Points]] = {"right": [], "left": []}
    back: list[NDArray[np.float64]] = []
    front: list[NDArray[np.float64]] = []
    for side, sign in (("right", -1.0), ("left", 1.0)):
        tilt, lean = random.normal(1, 0.06), random.normal(0, [0.1, 0.25, 0.5, 0])  # no chest is its own mirror image
        for number in range(_RIBS):
            jitter = lean + random.normal(0, [0.12, 0.3, 0.35, 0.03])
            course, angle = _course(form, vertebrae[number], walls[side], number, sign, tilt, jitter)
            course = broken(course, form.breaks, side, number + 1)
            if number < 10:
                courses[side].append(course)
            half, depth = _section(course, angle, _HIGH[number] * stout * (1 + jitter[3]))
            pieces = np.concatenate([course[:-1], course[1:], half[:-1, None], half[1:, None],
                                     depth[:-1, None], depth[1:, None]], 1)  # fmt: skip
            turned = np.stack([smooth(angle[:-1], *_SIDE), smooth(angle[1:], *_SIDE)], 1)
            for layer, share in ((back, 1 - turned), (front, turned)):
                seen = share.max(1) > 0
                layer.append(np.concatenate([pieces[seen, :8], pieces[seen, 8:] * share[seen]], 1))
    return _GAIN * (_layer(beam, back) + _FRONT * _layer(beam, front)), courses


def _layer(beam: Beam, ribs: list[NDArray[np.float64]]) -> Floats:
    """Ribs that do not cross each other: back and front are layers of their own, and add up."""
    pieces = np.concatenate(ribs)
    return tubes(beam, pieces[:, :3], pieces[:, 3:6], pieces[:, 6:8], _SHELL, _CORE, pieces[:, 8:])


def _course(form: Form, vertebra: NDArray[np.float64], wall: Points, number: int, sign: float, tilt: float,
            jitter: NDArray[np.float64]) -> tuple[Points, NDArray[np.float64]]:  # fmt: skip
    """A rib's middle line (n, 3), head first, and how far round each point is (n,), in radians."""
    x0, y0, z0 = vertebra
    angle = np.linspace(0.1, np.deg2rad(_REACH[number]), _POINTS)
    slope = form.rib_slope * tilt
    side_drop = slope * max(1.9, 1.2 + 0.62 * number) + jitter[1]
    front_drop = slope * (3.0 + 0.42 * number) + jitter[2]
    behind = np.minimum(angle, _TURN)
    plunge = 0.35 * np.sin(behind) + 0.65 * (1 - np.cos(behind)) ** 1.2
    down = side_drop * plunge - front_drop * np.cos(np.maximum(angle, _TURN))
    y = y0 - 0.5 + jitter[0] + down
    order = np.argsort(wall[:, 1])
    wide = np.interp(y, wall[order, 1], np.abs(wall[order, 0])) + _OUTSIDE
    wide = np.maximum(wide, 4.2 + 0.6 * number)
    x = sign * wide * np.sin(angle) ** 0.45 + x0 * (1 - np.sin(behind))
    deep = form.half_depth * min(1.0, 0.62 + 0.09 * number)
    z = -deep * np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** 0.8
    head = np.array([[x0 + sign * 1.15, y0 - 0.6, z0 - 0.4], [x0 + sign * 2.6, y0 - 0.7, z0 - 1.6]])
    course = np.concatenate([head, np.stack([x, y, z], 1)])
    for _ in range(4):
        course[1:9] = (course[:8] + 2 * course[1:9] + course[2:10]) / 4
    return course, np.concatenate([[0.0, 0.05], angle])


def _section(
    course: Points, angle: NDArray[np.float64], high: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Half the width (n,) that the ray sees of a rib, and its depth along the ray over that width."""
    half = np.hypot(high * np.cos(angle), _FLAT * np.sin(angle))
    half[:2] *= 0.75  # head and neck are slim
    step = np.gradient(course, axis=0)
    long = np.linalg.norm(step, axis=1) / np.hypot(step[:, 0], step[:, 1])
    depth = np.minimum(_FLAT * high / half**2 * long, _STEEPEST)
    depth[:2] *= (0.1, 0.6)  # a head is spongy, and lies in its joint
    depth *= 1 - 0.8 * smooth(angle, angle[-1] - 0.75, angle[-1] + 0.1)  # the front fades into cartilage
    return half, depth
