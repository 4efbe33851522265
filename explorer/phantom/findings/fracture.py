"""Fractures of ribs and clavicles: a step, a cleft, and callus around an old one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.phantom.anatomy.breaks import CLAVICLE, Break, broken_at
from explorer.phantom.anatomy.form import Form
from explorer.phantom.beam import Floats
from explorer.phantom.chest import Bools, Chest, Points
from explorer.phantom.findings.finding import Finding
from explorer.phantom.findings.wires import joined
from explorer.phantom.request import Request
from explorer.phantom.shapes import curve

_HALF = {"rib": 0.6, "clavicle": 0.65}  # cm, half the bone's width
_CLAVICLES = 0.18  # share of fractures that are of a clavicle
_OLD = 0.35  # share of fractures that are healing
_MARKED = 3.6  # cm of the outer fragment that belong to the mask


def _broken(form: Form, request: Request, random: np.random.Generator) -> Form:
    """A rib or two with a fine step when subtle, several in a row with wide steps when obvious; or a clavicle."""
    severity, side = float(request.severity or 0), str(request.side)
    way = float(random.choice((-1, 1)))
    if random.uniform() < _CLAVICLES:
        step = way * (0.3 + 1.1 * severity)
        return replace(form, breaks=(Break(side, CLAVICLE, float(random.uniform(0.45, 0.62)), step),))
    count = 1 + int((random.uniform(size=3) < 0.2 + 0.75 * severity).sum())
    first = int(random.integers(3, 7))
    share = float(random.uniform(0.15, 0.33))
    breaks = tuple(
        Break(side, number, share + float(random.normal(0, 0.045)),
              way * (0.45 + 0.85 * severity) * float(random.uniform(0.7, 1.2)))
        for number in range(first, first + count)
    )  # fmt: skip
    return replace(form, breaks=breaks)


def fracture(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Cleft and callus at the breaks that the anatomy has; the mask is the bone around each."""
    severity, old = float(request.severity or 0), bool(random.uniform() < _OLD)
    masks = [_mend(chest, each, severity, old, random) for each in chest.form.breaks]
    return joined(masks)


def _mend(chest: Chest, each: Break, severity: float, old: bool, random: np.random.Generator) -> Bools:
    """Draw the cleft across the bone, or the spindle of new bone around an old break; where that is and the step."""
    marks = chest.marks
    bone: Points = marks.clavicles[each.side] if each.bone == CLAVICLE else marks.ribs[each.side][each.bone - 1]
    half = _HALF["clavicle" if each.bone == CLAVICLE else "rib"]
    pick, _, _ = broken_at(bone, each)
    middle = (bone[pick - 1] + bone[pick]) / 2
    direction = _unit(bone[pick + 1] - bone[pick])
    near = _window(chest, middle, 4.0)
    u, v = _turned(chest, middle, direction, near)
    reach = half + abs(each.step) / 2
    if old:
        swell = half * 1.2 + abs(each.step) / 2
        size = 1 - np.abs(u / np.float32(1.5 + 0.5 * severity)) - (v / np.float32(swell)) ** 2  # a spindle
        chest.bone[near] += np.float32(0.3 + 0.5 * severity) * np.sqrt(size.clip(0))
    else:
        inside = np.exp(-((v / np.float32(half + abs(each.step) / 4)) ** 6))
        slanted = u + v * np.float32(random.uniform(-0.6, 0.6))
        cleft = np.exp(-((slanted / np.float32(0.09 + 0.2 * severity)) ** 2))
        beside = np.exp(-(((np.abs(slanted) - np.float32(0.22 + 0.3 * severity)) / np.float32(0.3)) ** 2))
        chest.bone[near] += np.float32(0.1 + 0.45 * severity) * inside * beside  # fragments that override
        chest.bone[near] *= 1 - np.float32(0.92) * inside * cleft
    far = np.cumsum(np.linalg.norm(np.diff(bone[pick - 1 :], axis=0), axis=1))
    part = bone[pick - 2 : pick + 1 + int((far < _MARKED).sum())]
    return curve(chest.beam, part, reach * (1.15 if old else 1.0)) > 0


def _unit(vector: Points) -> Points:
    return vector / np.linalg.norm(vector)


def _window(chest: Chest, middle: Points, half: float) -> tuple[slice, slice]:
    """Rows and columns of the film within `half` cm of a place."""
    column, row = chest.beam.project(middle[None])[0]
    reach, last = half / chest.beam.pixel, chest.beam.size
    rows, columns = (
        slice(int(np.clip(at - reach, 0, last)), int(np.clip(at + reach, 0, last))) for at in (row, column)
    )
    return rows, columns


def _turned(chest: Chest, middle: Points, direction: Points, near: tuple[slice, slice]) -> tuple[Floats, Floats]:
    """Along and across a bone's direction, in cm from a place on it."""
    x, y = chest.beam.at(float(middle[2]))
    dx, dy = x[:, near[1]] - np.float32(middle[0]), y[near[0]] - np.float32(middle[1])
    cos, sin = direction[:2] / np.hypot(direction[0], direction[1])
    return dx * np.float32(cos) + dy * np.float32(sin), dy * np.float32(cos) - dx * np.float32(sin)


FRACTURE = {"Fracture": Finding(fracture, _broken)}
