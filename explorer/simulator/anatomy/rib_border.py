"""Draw rib borders, where the ray passes along the cortex.

The lower border of a posterior rib is a thin flange beside the costal groove: a crisp, slightly wavy line. The upper
border is blunt and its line faint. Both fade anteriorly.
"""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.rib_course import SIDE_ANGLE, bone_noise
from explorer.simulator.shapes import smooth_step
from models.array_types import Float64

_THIN = 0.04  # cm, half the thickness of cortical bone
_LOWER, _UPPER = 2.4, 1.1  # path length along the ray relative to that thickness
_WAVE = 0.04  # cm


def rib_border_lines(
    random: np.random.Generator, ways: Float64, angles: Float64, half: Float64
) -> tuple[Float64, Float64, Float64]:
    """Return courses (k, n, 3), radii and depths (k, n) of the lines along both borders of the ribs.

    `ways` has shape (ribs, points, 3); the angles and half widths have shape (ribs, points). Every second point is
    enough for a line.
    """
    step = np.gradient(ways[..., :2], axis=1)
    along = step / np.linalg.norm(step, axis=2)[..., None]
    right = np.sign(ways[:, -1:, 0])
    down = np.stack([-right * along[..., 1], right * along[..., 0], np.zeros(angles.shape)], 2)
    end = angles[:, -1:]
    front = smooth_step(angles, SIDE_ANGLE - 0.1, SIDE_ANGLE + 0.5)
    ends = smooth_step(angles, 0.0, 0.25) * (1 - smooth_step(angles, end - 0.3, end))
    lines, depths = [], []
    for where, strength, thinner in ((0.93, _LOWER, 0.62), (-0.93, _UPPER, 0.3)):
        lines.append(ways + (where * half + _WAVE * bone_noise(random, angles.shape))[..., None] * down)
        firm = (1 + 0.25 * bone_noise(random, angles.shape)).clip(0.3)
        depths.append(strength * ends * (1 - thinner * front) * firm)
    line, depth = np.concatenate(lines)[:, ::2], np.concatenate(depths)[:, ::2]
    return line, np.full(depth.shape, _THIN), depth
