"""Draw the ribs: flat hoops with a dense cortex, from the spine around the side to the front.

Parts that do not cross contribute only the longest path. Crossing parts add up: posterior and anterior parts, and
neighbors that overlap at the side. Fine lines run along the borders, where the cortex is thickest along the ray: see
`rib_border`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.breaks import apply_breaks, bridging_segments
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.rib_border import rib_border_lines
from explorer.simulator.anatomy.rib_course import RIBS, SIDE_ANGLE, bone_noise, rib_line
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import smooth_step, tubes
from models.array_types import Float32, Float64

_NAMES = [(side, number + 1) for side in ("right", "left") for number in range(RIBS)]
_HIGH = np.array([7.2, 5.6, 5.9, 6.2, 6.5, 6.6, 6.6, 6.5, 6.2, 5.6, 4.8, 4.0]) / 10  # cm, half the height of a rib
_FLAT = 0.3  # cm, half the thickness of a rib
_SHELL = 0.16  # cortex, as a fraction of the half height; the medulla contains some bone too
_CORE = 0.76  # fraction of the medulla that is not bone
_GAIN = np.float32(1.75)  # converts cortical bone to the bone path of `Chest`
_FRONT = 0.58  # the anterior part is thinner and less mineralized than the posterior part
_SIDE = (SIDE_ANGLE - 0.3, SIDE_ANGLE + 0.3)  # angles where the posterior part passes into the anterior part
_STEEPEST = 1.4  # maximum path through a rib seen end on, as a multiple of its thickness
_FAINT = 0.25  # strength of the first ribs' border lines relative to those of the other ribs
_EVEN = [number for number in range(2, 2 * RIBS, 2) if number != RIBS]
_SPONGY = 0.38  # bone of a first rib relative to cortical bone
_TILT = 0.5  # relative gain in depth of a displaced fragment per cm, because it also tilts
# Rib height along its course (radians around the chest): slim neck, tubercle, slim shaft, broad anterior end.
_AT = (0.0, 0.05, 0.14, 0.24, 0.4, 0.9, 1.5, 2.1, 2.8)
_BROAD = (0.75, 0.62, 0.72, 0.98, 0.88, 0.97, 1.0, 1.12, 1.3)


def rib_cage(
    form: Form, beam: Beam, vertebrae: Points, walls: dict[str, Points]
) -> tuple[Float32, dict[str, list[Points]]]:
    """Return the path (size, size) through the ribs, and the courses of ribs 1 to 10 on each side from the spine
    outward.
    """
    random = draws(beam.patient.seed, "ribs")
    stout = float(np.clip(random.normal(1.0 if beam.patient.sex == "M" else 0.88, 0.06), 0.75, 1.15))
    ways, angles = [], []
    for side, sign in (("right", -1.0), ("left", 1.0)):
        tilt, lean = (
            random.normal(1, 0.06),
            random.normal(0, [0.08, 0.35, 0.7, 0.03]),
        )  # never symmetric
        for number in range(RIBS):
            jitter = lean + random.normal(0, [0.1, 0.32, 0.5, 0.06])
            way, angle = rib_line(form, vertebrae[number], walls[side], number, sign, tilt, jitter)
            ways.append(way)
            angles.append(angle)
    moved = np.stack([apply_breaks(way, form.breaks, *name) for way, name in zip(ways, _NAMES, strict=True)])
    bone = _rib_path(form, beam, np.stack(ways), moved, np.stack(angles), stout, random)
    return _GAIN * bone, {"right": list(moved[:10]), "left": list(moved[RIBS : RIBS + 10])}


def _rib_path(
    form: Form, beam: Beam, ways: Float64, moved: Float64, angles: Float64, stout: float, random: np.random.Generator
) -> Float32:
    """Return the path (size, size) through ribs along ways (24, n, 3), right ribs first, displaced by fractures."""
    high = np.tile(_HIGH, 2)[:, None] * stout * random.normal(1, 0.035, (len(ways), 1))
    half, depth = _section(ways, angles, high * (1 + 0.05 * bone_noise(random, angles.shape)))
    whole, coarse = (
        ~np.stack([bridging_segments(angles.shape[1], form.breaks, *name, every) for name in _NAMES])
        for every in (1, 2)
    )
    lines, thin, dense = rib_border_lines(random, ways, angles, half)
    dense[::RIBS] *= _FAINT
    off = moved - ways
    lines += np.tile(off[:, ::2], (2, 1, 1))
    tilted = 1 + _TILT * np.minimum(np.linalg.norm(off[..., :2], axis=2), 1.5)
    depth = depth * tilted
    bone = _longest_path(beam, lines, thin, dense * np.tile(tilted[:, ::2], (2, 1)), np.tile(coarse, (2, 1)), None)
    turned = smooth_step(angles, *_SIDE)
    for share in (1 - turned, _FRONT * turned):
        for some in (_EVEN, slice(1, None, 2)):
            bone += _longest_path(beam, moved[some], half[some], (depth * share)[some], whole[some], _SHELL)
    first = [0, RIBS]  # the first ribs lie flat, so the ray meets no border along their height
    share = 1 - (1 - _FRONT) * turned
    bone += _longest_path(beam, moved[first], half[first], _SPONGY * (depth * share)[first], whole[first], None)
    return bone


def _longest_path(
    beam: Beam, ways: Float64, half: Float64, depth: Float64, whole: NDArray[np.bool_], shell: float | None
) -> Float32:
    """Return the longest path (size, size) through any intact, visible bone along ways (k, n, 3)."""
    seen = whole & (np.maximum(depth[:, :-1], depth[:, 1:]) > 0.02)
    radii, depths = (np.stack([each[:, :-1][seen], each[:, 1:][seen]], 1) for each in (half, depth))
    return tubes(beam, ways[:, :-1][seen], ways[:, 1:][seen], radii, shell, _CORE, depths)


def _section(ways: Float64, angles: Float64, high: Float64) -> tuple[Float64, Float64]:
    """Return the half width (k, n) of ribs across the ray, and their depth along it relative to that width."""
    high = high * np.interp(angles, _AT, _BROAD)
    half = np.hypot(high * np.cos(angles), _FLAT * np.sin(angles))
    step = np.gradient(ways, axis=1)
    long = np.linalg.norm(step, axis=2) / np.hypot(step[..., 0], step[..., 1])
    depth = np.minimum(_FLAT * high / half**2 * long, _STEEPEST)
    depth[:, :2] *= (0.1, 0.6)  # the head of a rib is cancellous and lies in its joint
    end = angles[:, -1:]
    depth *= 1 - 0.9 * smooth_step(angles, end - 0.45, end + 0.02)  # the anterior end becomes cartilage
    return half, depth
