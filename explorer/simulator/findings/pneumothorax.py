"""Pneumothorax and hydropneumothorax: gas between chest wall and lung, bounded by a thin white visceral pleura.

No vessel is seen beyond the line. Upright, gas gathers over the apex; lying back, often at the base (deep sulcus).
Fluid beneath gas has a level, not a meniscus (Fleischner glossary).
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import shown
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.layered import rind, veil
from explorer.simulator.findings.side import Side, sides
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth
from explorer.simulator.version import POSTURE
from models.array_types import Bools, Float32

_PLEURA = 0.04  # cm, thickness of the visceral pleura
_TANGENT = 1.2  # cm of it along a ray that grazes the lung
_APART = 0.9  # cm at least between a fluid level and the dome
_DENSER = 0.12  # share by which a crowded lung must be denser to show it
_ROUND = 1.5  # cm over which the lung's surface is rounded front to back


def pneumothorax(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """From a crescent of 8 mm over the apex to a lung shrunk to its hilum."""
    mask = np.zeros(chest.lung.shape, bool)
    for side in sides(chest, request):
        mask |= _shrink(side, _inside(side, float(request.severity or 0), random))
    return mask


def hydropneumothorax(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Gas as above, and fluid: upright with a straight level from the wall to the mediastinum, lying as a veil."""
    severity = float(request.severity or 0)
    side = sides(chest, request)[0]
    if chest.beam.patient.lying:
        return _lying(side, severity, random)
    level = side.height(float(random.uniform(0.98, 1.01)) - float(random.uniform(0.4, 0.46)) * severity**1.4)
    dome = float(side.floor.min())
    if abs(level - dome) < _APART:  # it would pass for the diaphragm
        level = dome + (1.8 * _APART if level > dome else -_APART)
    cavity = chest.lung.copy()
    gas = _shrink(side, _inside(side, 0.07 + 0.78 * severity, random, low=False))
    before = chest.attenuation()
    sharp = 0.05 + chest.beam.pixel / 2
    under = smooth(side.y - np.float32(level), -sharp, sharp)
    hidden = np.array([[side.beside(float(y))] for y in side.y[:, 0]], np.float32)  # less of it lies behind the heart
    under = under * smooth(side.out - 0.7 * hidden, -1.5, 0.6)
    under = np.maximum(under, smooth(side.y - np.float32(level), 0, 4) * smooth(side.out, 0, 1.5))  # no gas at its end
    dipping = np.float32(0.12) * chest.lung  # what stays aerated of the lung that dips into the fluid
    chest.soft += under * (cavity - dipping)
    chest.lung += under * (dipping - chest.lung)
    chest.vessels *= 1 - under
    return np.asarray((gas & (under < 0.5)) | shown(chest, before, 0.12, 0.2), bool)


def _lying(side: Side, severity: float, random: np.random.Generator) -> Bools:
    """Gas before the lung at its base, fluid behind lung and gas: no ray runs along its surface, so no level."""
    chest, cavity = side.chest, side.chest.lung.copy()
    before = chest.attenuation()
    inside = _inside(side, 0.1 + 0.6 * severity, random, low=True)
    gas = _shrink(side, inside)
    share = (1 - (1 - veil(side, severity)) * (1 - rind(side, severity))) * (0.35 + 0.65 * smooth(inside, -0.6, 1.2))
    chest.soft += share * cavity
    chest.lung *= 1 - share
    changed = (gas & (inside < 0)) | shown(chest, before, 0.08, 0.25)
    if side.chest.beam.patient.drawing >= POSTURE:
        changed |= side.lung  # where a veil begins to be seen would look like the level that there is not
    return np.asarray(changed, bool)


def _inside(side: Side, severity: float, random: np.random.Generator, low: bool | None = None) -> Float32:
    """How far inside the lung's new surface a ray is, in cm; negative: it meets gas only. `low`: at the base."""
    down = ((side.y - np.float32(side.top)) / np.float32(side.angle - side.top)).clip(0, 1)
    widest = 0.9 + float(random.uniform(4.0, 5.0)) * severity**1.3
    if low is None:
        low = side.chest.beam.patient.lying and float(random.uniform()) < 0.4
    least = 0.75 * severity
    gap = 1 - (1 - least) * smooth(1 - down if low else down, 0.2, 0.6 + 0.45 * severity)
    wave = 1 + np.float32(0.03) * np.sin(side.y * np.float32(0.9) + np.float32(random.uniform(0, 6.3)))
    pixel = side.chest.beam.pixel
    inside = gaussian_filter(side.wall(), max(0.12 / pixel, 0.7)) - np.float32(widest) * gap * wave
    highest = side.top + widest * float(gap[0, 0])
    middle = 0.55 * side.mid(highest + 2) + 0.45 * (side.edge(highest + 2) - widest * float(gap[0, 0]))
    apex = side.y - np.float32(highest) - np.float32(0.13) * (side.out - np.float32(middle)) ** 2
    return _least(_least(inside, apex), _stump(side, severity))


def _stump(side: Side, severity: float) -> Float32:
    """How far inside an ellipse about the hilum a ray is; a lung without its air shrinks to that."""
    out, y = side.hilum[0] + 0.2, side.hilum[1] + 1.5
    seen = max(4.6, side.beside(y + 2) - out + 2.2)  # beside the heart
    across, along = seen + 26 * (1 - severity), 7.0 + 30 * (1 - severity)
    far = np.hypot((side.out - np.float32(out)) / np.float32(across), (side.y - np.float32(y)) / np.float32(along))
    return np.asarray((1 - far) * np.float32(across), np.float32)


def _least(one: Float32, other: Float32) -> Float32:
    """The smaller of both, without a corner."""
    close = (1 - np.abs(one - other) / 2).clip(0)
    return np.asarray(np.minimum(one, other) - close * close / 2, np.float32)


def _shrink(side: Side, inside: Float32) -> Bools:
    """Let the lung go from beyond its new surface, draw the pleura there; the mask of what that changed."""
    chest, here = side.chest, side.out > 0
    rounded = 1 - (1 - inside / np.float32(_ROUND)).clip(0, 1) ** 2
    left = np.where(here, np.sqrt(rounded), np.float32(1))
    whole = float((chest.lung * here).sum())
    kept = float((chest.lung * left * here).sum()) / max(whole, 1e-3)
    width = max(_PLEURA / 2, 0.4 * chest.beam.pixel)
    line = np.float32(_TANGENT * _PLEURA / (2.5 * width)) * np.exp(-((inside / np.float32(width)) ** 2) / 2)
    chest.soft += line * here * smooth(chest.lung, 0.5, 2.0)
    chest.lung *= left
    chest.vessels *= left
    crowded = np.float32(np.clip(0.65 / max(kept, 0.2) - 1, 0, 0.5))  # a lung without a third of its air is denser
    chest.density += crowded * np.float32(chest.form.lung) * here
    return side.lung & ((inside < _ROUND / 2) | (crowded > _DENSER))


PNEUMOTHORAX = {"Pneumothorax": DrawnFinding(pneumothorax), "Hydropneumothorax": DrawnFinding(hydropneumothorax)}
