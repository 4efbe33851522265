"""Draw rib and clavicle fractures: displaced fragments, hematoma around fresh ones and callus around old ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.simulator.anatomy.breaks import CLAVICLE, RETURN_LENGTHS, Break, break_point
from explorer.simulator.anatomy.form import Form
from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.wires import union_mask
from explorer.simulator.request import Request
from explorer.simulator.shapes import curved_tube, smooth_step
from models.array_types import Bools, Float32

_HALF = {"rib": 0.65, "clavicle": 0.75}  # cm, half the width of the bone
_CLAVICLES = 0.18  # fraction of fractures that affect a clavicle
_OLD = 0.25  # fraction of fractures that are healing
_BLOOD = 2.0  # cm of extrapleural blood beside a severe fracture
_LOWEST = 8  # lowest rib to fracture: lower ribs are below the dome
_MARKED = 1.9  # cm of the outer fragment included in the mask


def _break_bones(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Fracture one or two ribs slightly when subtle, several with wide steps when obvious, or a clavicle."""
    severity, side = float(request.severity or 0), str(request.side)
    way = float(random.choice((-1, 1)))
    old = bool(random.uniform() < _OLD)
    if random.uniform() < _CLAVICLES:
        step, _ = _displacement(severity, -1.0 if side == "right" else 1.0, False, random)  # the arm pulls it down
        apart = ((1.2 + 0.75 * severity) * step, -0.2 - 0.6 * severity)  # and muscles pull it across the inner fragment
        return replace(form, breaks=(Break(side, CLAVICLE, float(random.uniform(0.35, 0.5)), *apart),))
    count = 1 + int((random.uniform(size=3) < 1.4 * severity - 0.1).sum())
    ribs = int(random.integers(3, 6)) + np.r_[0, np.cumsum(1 + (random.uniform(size=3) < 0.3))][:count]
    ribs -= max(0, int(ribs[-1]) - _LOWEST)
    share = float(random.uniform(0.23, 0.33))  # from the angle to the axilla, where the ribs project over the lung
    shares = np.clip(share + random.normal(0, 0.045, count), 0.2, 0.37)
    ways = way * np.where(random.uniform(size=count) < 0.25, -1, 1)
    breaks = tuple(
        Break(side, int(number), float(at), *_displacement(severity, float(sign), old, random), old)
        for number, at, sign in zip(ribs, shares, ways, strict=True)
    )
    return replace(form, breaks=breaks)


def _displacement(severity: float, way: float, old: bool, random: np.random.Generator) -> tuple[float, float]:
    """Return the outer fragment's displacement (cm) across and along the bone, whether apart, overriding or healing."""
    step = way * (0.3 + 1.05 * severity) * float(random.uniform(0.85, 1.2))
    along = (0.75 if random.uniform() < 0.7 else -1.1) * float(random.uniform(0.7, 1.2))
    return (0.75 * step, 0.1) if old else (step, 0.12 + severity * along)


def fracture(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw hematoma or callus at the form's fractures; the mask is the bone around each one."""
    return union_mask([_draw_fracture(chest, each, float(request.severity or 0)) for each in chest.form.breaks])


def _draw_fracture(chest: Chest, each: Break, severity: float) -> Bools:
    """Draw hematoma at a fresh fracture, or callus at an old one; return the area of it and of the step."""
    marks = chest.marks
    bone: Points = marks.clavicles[each.side] if each.bone == CLAVICLE else marks.ribs[each.side][each.bone - 1]
    half = _HALF["clavicle" if each.bone == CLAVICLE else "rib"]
    pick, _, _ = break_point(bone, each)
    middle = (bone[pick - 1] + bone[pick]) / 2
    near = _window(chest, middle, 3.5)
    u, v = _bone_coordinates(chest, middle, _unit_vector(bone[pick + 1] - bone[pick - 2]), near)
    if each.old:
        swell = half * (0.8 + 0.3 * severity) + abs(each.step) / 3
        size = 1 - (u / np.float32(0.9 + 0.4 * severity)) ** 2 - (v / np.float32(swell)) ** 2  # spindle-shaped
        chest.bone[near] += np.float32(0.3 + 0.75 * severity) * size.clip(0) ** np.float32(0.7)
    else:
        size = 1 - (u / np.float32(1.8)) ** 2 - (v / np.float32(half + 0.3 + abs(each.step) / 2)) ** 2
        blood = np.minimum(np.float32(_BLOOD * severity) * size.clip(0), chest.lung[near])
        chest.lung[near] -= blood
        chest.soft[near] += blood
        if each.bone == CLAVICLE:  # a cortical wedge crosses the gap
            u, v = _bone_coordinates(chest, middle, _unit_vector(bone[pick + 9] - bone[pick]), near)
            wedge = 1 - np.abs(u - np.float32(0.25) * v) / np.float32(0.42) - (v / np.float32(0.9)) ** 2
            chest.bone[near] += np.float32(1.1 * severity) * smooth_step(wedge, 0, 0.6)
    if each.bone == CLAVICLE:
        return _swept_area(chest, bone[pick - 2 :], each)
    far = np.cumsum(np.linalg.norm(np.diff(bone[pick:], axis=0), axis=1))
    part = bone[pick - 1 : pick + 2 + int((far < _MARKED).sum())]
    return curved_tube(chest.beam, part, 0.85 * half + abs(each.step) / 2) > 0


def _swept_area(chest: Chest, bone: Points, each: Break) -> Bools:
    """Return the area a clavicle's outer fragment has moved across; `bone` starts with two points of the inner one."""
    far = np.r_[0.0, 0.0, 0.0, np.cumsum(np.linalg.norm(np.diff(bone[2:], axis=0), axis=1))]
    off = each.step * np.exp(-((far / RETURN_LENGTHS[1]) ** 2))
    way = _unit_vector(bone[-1] - bone[0])
    middle = bone - 0.5 * (off * (np.arange(len(bone)) > 1))[:, None] * np.array([-way[1], way[0], 0.0])
    part = far < 1.5 * RETURN_LENGTHS[1]
    return curved_tube(chest.beam, middle[part], (0.8 * _HALF["clavicle"] + np.abs(off) / 2)[part]) > 0


def _unit_vector(vector: Points) -> Points:
    return vector / np.linalg.norm(vector)


def _window(chest: Chest, middle: Points, half: float) -> tuple[slice, slice]:
    """Return the rows and columns of the film within `half` cm of a point."""
    column, row = chest.beam.project(middle[None])[0]
    reach, last = half / chest.beam.pixel, chest.beam.size
    rows, columns = (
        slice(int(np.clip(at - reach, 0, last)), int(np.clip(at + reach, 0, last))) for at in (row, column)
    )
    return rows, columns


def _bone_coordinates(
    chest: Chest, middle: Points, direction: Points, near: tuple[slice, slice]
) -> tuple[Float32, Float32]:
    """Return coordinates along and across a bone's direction, in cm from a point on it."""
    x, y = chest.beam.at(float(middle[2]))
    dx, dy = x[:, near[1]] - np.float32(middle[0]), y[near[0]] - np.float32(middle[1])
    cos, sin = direction[:2] / np.hypot(direction[0], direction[1])
    return dx * np.float32(cos) + dy * np.float32(sin), dy * np.float32(cos) - dx * np.float32(sin)


FRACTURE = {"Fracture": DrawnFinding(fracture, _break_bones)}
