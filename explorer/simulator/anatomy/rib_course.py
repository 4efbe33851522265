"""Compute the course of each rib around the chest.

Courses follow anatomy textbooks (Gray's Anatomy, ch. thorax). Each rib leaves its vertebra, turns at the angle, and
descends to the side and on to its cartilage, more steeply in the lower ribs. Ribs 11 and 12 end in the flank.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.form import Form
from explorer.simulator.chest import Points

RIBS = 12
SIDE_ANGLE = np.pi / 2  # where the posterior part of a rib becomes the anterior part
_POINTS = 26  # points along a rib
# Angle at which the bone of ribs 1 to 12 ends, in degrees: 0 is the back, 90 the side, 180 the front.
_REACH = np.array([162, 160, 158, 156, 153, 150, 146, 140, 131, 120, 80, 48])
_FIRST = 5.0  # cm below the apex, minimum for the ends of the first ribs
_OUTSIDE = 0.09  # cm between the lung border and the middle of the ribs beside it
_BACK, _FRONT = 0.45, 0.66  # exponents of a rib's curve seen from above: 1 is an ellipse, 0 a box


def rib_line(form: Form, vertebra: NDArray[np.float64], wall: Points, number: int, sign: float, tilt: float,
              jitter: NDArray[np.float64]) -> tuple[Points, NDArray[np.float64]]:  # fmt: skip
    """Return a rib's center line (n, 3), from the head on, and the angle of each point around the chest (n,), in
    radians.
    """
    x0, y0, z0 = vertebra
    angle = np.linspace(0.1, np.deg2rad(_REACH[number]) + jitter[3], _POINTS)
    slope = form.rib_slope * tilt
    side_drop = slope * max(1.9, 1.3 + 0.62 * number) + jitter[1]
    front_drop = slope * (3.2 + 0.42 * number) + jitter[2]
    if not number:  # the first rib ends beside the manubrium, whatever the tilt
        front_drop = max(front_drop, (form.apex + _FIRST - y0 - 0.4 - side_drop) / float(-np.cos(angle[-1])))
    behind = np.minimum(angle, SIDE_ANGLE)
    steep = min(0.05 + 0.04 * number, 0.45) if number else 0.35  # the first rib and the lower ribs descend at once
    plunge = steep * np.sin(behind) + (1 - steep) * (1 - np.cos(behind)) ** 1.15
    down = side_drop * plunge - front_drop * np.cos(np.maximum(angle, SIDE_ANGLE))
    y = y0 - 0.5 + max(0.0, 0.9 - 0.45 * number) + jitter[0] + down  # the apex rises above the neck of the first rib
    order = np.argsort(wall[:, 1])
    turn = y0 + side_drop
    beside = turn + (y - turn) * min(1.0, 0.2 + 0.16 * number)  # the upper ribs form smaller rings than the lower ones
    wide = np.interp(beside, wall[order, 1], np.abs(wall[order, 0])) + _OUTSIDE
    wide = np.clip(wide, 4.2 + 0.6 * number, 6.4 + 3.3 * number)  # the first rib encircles the apex, whatever its width
    x = sign * wide * np.sin(angle) ** np.where(angle < SIDE_ANGLE, _BACK, _FRONT) + x0 * (1 - np.sin(behind))
    deep = form.half_depth * min(1.0, 0.62 + 0.09 * number)
    z = -deep * np.sign(np.cos(angle)) * np.abs(np.cos(angle)) ** 0.8
    head = np.array([[x0 + sign * 1.15, y0 - 0.6, z0 - 0.4], [x0 + sign * 2.6, y0 - 0.7, z0 - 1.6]])
    course = np.concatenate([head, np.stack([x, y, z], 1)])
    for _ in range(4):
        course[1:9] = (course[:8] + 2 * course[1:9] + course[2:10]) / 4
    return course, np.concatenate([[0.0, 0.05], angle])


def bone_noise(random: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return smooth noise (..., n) along bones, with mean 0 and standard deviation about 1."""
    rough = random.standard_normal((*shape[:-1], shape[-1] + 2))
    return (rough[..., :-2] + 2 * rough[..., 1:-1] + rough[..., 2:]) / 2.45
