"""The way that a rib takes round the chest.

Courses follow the anatomy books (Gray's Anatomy, ch. thorax): each rib leaves its vertebra, bends round at the angle,
drops towards the side and further towards its cartilage, the lower the steeper; ribs 11 and 12 end in the flank.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.form import Form
from explorer.simulator.chest import Points

RIBS = 12
TURN = np.pi / 2  # where the back of a rib has become its front
_POINTS = 26  # along a rib
# How far round ribs 1 .. 12 reach, in degrees: 0 is the back, 90 the side, 180 the front. There cartilage begins.
_REACH = np.array([162, 160, 158, 156, 153, 150, 146, 140, 131, 120, 80, 48])
_FIRST = 5.0  # cm below the apex, where the first ribs end at least
_OUTSIDE = 0.09  # cm between the lung's edge and the middle of the ribs beside it
_BACK, _FRONT = 0.45, 0.66  # exponents of a rib's bow seen from above: 1 an ellipse, 0 a box


def course_of(form: Form, vertebra: NDArray[np.float64], wall: Points, number: int, sign: float, tilt: float,
              jitter: NDArray[np.float64]) -> tuple[Points, NDArray[np.float64]]:  # fmt: skip
    """A rib's middle line (n, 3), head first, and how far round each point is (n,), in radians."""
    x0, y0, z0 = vertebra
    angle = np.linspace(0.1, np.deg2rad(_REACH[number]) + jitter[3], _POINTS)
    slope = form.rib_slope * tilt
    side_drop = slope * max(1.9, 1.3 + 0.62 * number) + jitter[1]
    front_drop = slope * (3.2 + 0.42 * number) + jitter[2]
    if not number:  # it ends beside the manubrium, however the chest is tilted
        front_drop = max(front_drop, (form.apex + _FIRST - y0 - 0.4 - side_drop) / float(-np.cos(angle[-1])))
    behind = np.minimum(angle, TURN)
    steep = min(0.05 + 0.04 * number, 0.45) if number else 0.35  # the first rib and the lower ones fall at once
    plunge = steep * np.sin(behind) + (1 - steep) * (1 - np.cos(behind)) ** 1.15
    down = side_drop * plunge - front_drop * np.cos(np.maximum(angle, TURN))
    y = y0 - 0.5 + max(0.0, 0.9 - 0.45 * number) + jitter[0] + down  # the apex rises above the first neck
    order = np.argsort(wall[:, 1])
    turn = y0 + side_drop
    beside = turn + (y - turn) * min(1.0, 0.2 + 0.16 * number)  # the upper ribs' rings are smaller than the dome's
    wide = np.interp(beside, wall[order, 1], np.abs(wall[order, 0])) + _OUTSIDE
    wide = np.clip(wide, 4.2 + 0.6 * number, 6.4 + 3.3 * number)  # the first rib rings the apex, however wide it is
    x = sign * wide * np.sin(angle) ** np.where(angle < TURN, _BACK, _FRONT) + x0 * (1 - np.sin(behind))
    deep = form.half_depth * min(1.0, 0.62 + 0.09 * number)
    z = -deep * np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** 0.8
    head = np.array([[x0 + sign * 1.15, y0 - 0.6, z0 - 0.4], [x0 + sign * 2.6, y0 - 0.7, z0 - 1.6]])
    course = np.concatenate([head, np.stack([x, y, z], 1)])
    for _ in range(4):
        course[1:9] = (course[:8] + 2 * course[1:9] + course[2:10]) / 4
    return course, np.concatenate([[0.0, 0.05], angle])


def uneven(random: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Smooth noise (..., n) along bones, mean 0 and deviation about 1."""
    rough = random.standard_normal((*shape[:-1], shape[-1] + 2))
    return (rough[..., :-2] + 2 * rough[..., 1:-1] + rough[..., 2:]) / 2.45
