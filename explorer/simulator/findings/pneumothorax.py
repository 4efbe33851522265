"""Draw pneumothorax and hydropneumothorax: pleural gas bounded by the thin white line of the visceral pleura.

No vessels are visible beyond the line. Gas collects at the apex when upright, and often at the base when supine
(deep sulcus sign). Fluid beneath gas has a level, not a meniscus (Fleischner glossary).
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.layered import rind, veil
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step
from explorer.simulator.version import POSTURE_DRAWING
from models.array_types import Bools, Float32

_PLEURA = 0.04  # cm, thickness of the visceral pleura
_TANGENT = 1.2  # cm of pleura along a ray tangent to the lung
_MIN_LEVEL_GAP = 0.9  # cm, minimum distance between a fluid level and the dome
_DENSER = 0.12  # relative density increase at which a crowded lung is visibly denser
_ROUND = 1.5  # cm over which the lung surface is rounded, front to back


def pneumothorax(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw a pneumothorax, from an 8 mm apical crescent to a lung collapsed to its hilum."""
    mask = np.zeros(chest.lung.shape, bool)
    for side in requested_lungs(chest, request):
        mask |= _shrink_lung(side, _depth_in_lung(side, float(request.severity or 0), random))
    return mask


def hydropneumothorax(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw gas and fluid: a straight level from the wall to the mediastinum when upright, a veil when supine."""
    severity = float(request.severity or 0)
    side = requested_lungs(chest, request)[0]
    if chest.beam.patient.lying:
        return _draw_supine(side, severity, random)
    level = side.height(float(random.uniform(0.98, 1.01)) - float(random.uniform(0.4, 0.46)) * severity**1.4)
    dome = float(side.floor.min())
    if abs(level - dome) < _MIN_LEVEL_GAP:  # it would look like the diaphragm
        level = dome + (1.8 * _MIN_LEVEL_GAP if level > dome else -_MIN_LEVEL_GAP)
    cavity = chest.lung.copy()
    gas = _shrink_lung(side, _depth_in_lung(side, 0.07 + 0.78 * severity, random, low=False))
    before = chest.attenuation()
    sharp = 0.05 + chest.beam.pixel / 2
    under = smooth_step(side.y - np.float32(level), -sharp, sharp)
    hidden = np.array([[side.beside(float(y))] for y in side.y[:, 0]], np.float32)  # less lung is behind the heart
    under = under * smooth_step(side.out - 0.7 * hidden, -1.5, 0.6)
    under = np.maximum(
        under, smooth_step(side.y - np.float32(level), 0, 4) * smooth_step(side.out, 0, 1.5)
    )  # no gas there
    dipping = np.float32(0.12) * chest.lung  # aerated part of the lung in the fluid
    chest.soft += under * (cavity - dipping)
    chest.lung += under * (dipping - chest.lung)
    chest.vessels *= 1 - under
    return np.asarray((gas & (under < 0.5)) | changed_mask(chest, before, 0.12, 0.2), bool)


def _draw_supine(side: LungView, severity: float, random: np.random.Generator) -> Bools:
    """Draw supine gas in front of the lung base and fluid behind it: no ray is tangent to it, so no level shows."""
    chest, cavity = side.chest, side.chest.lung.copy()
    before = chest.attenuation()
    inside = _depth_in_lung(side, 0.1 + 0.6 * severity, random, low=True)
    gas = _shrink_lung(side, inside)
    share = (1 - (1 - veil(side, severity)) * (1 - rind(side, severity))) * (
        0.35 + 0.65 * smooth_step(inside, -0.6, 1.2)
    )
    chest.soft += share * cavity
    chest.lung *= 1 - share
    changed = (gas & (inside < 0)) | changed_mask(chest, before, 0.08, 0.25)
    if side.chest.beam.patient.drawing >= POSTURE_DRAWING:
        changed |= side.lung  # otherwise the edge of the veil would look like a level
    return np.asarray(changed, bool)


def _depth_in_lung(side: LungView, severity: float, random: np.random.Generator, low: bool | None = None) -> Float32:
    """Return a ray's distance (cm) inside the lung's new surface, negative for gas only; `low` puts gas at the base."""
    down = ((side.y - np.float32(side.top)) / np.float32(side.angle - side.top)).clip(0, 1)
    widest = 0.9 + float(random.uniform(4.0, 5.0)) * severity**1.3
    if low is None:
        low = side.chest.beam.patient.lying and float(random.uniform()) < 0.4
    least = 0.75 * severity
    gap = 1 - (1 - least) * smooth_step(1 - down if low else down, 0.2, 0.6 + 0.45 * severity)
    wave = 1 + np.float32(0.03) * np.sin(side.y * np.float32(0.9) + np.float32(random.uniform(0, 6.3)))
    pixel = side.chest.beam.pixel
    inside = gaussian_filter(side.wall(), max(0.12 / pixel, 0.7)) - np.float32(widest) * gap * wave
    highest = side.top + widest * float(gap[0, 0])
    middle = 0.55 * side.mid(highest + 2) + 0.45 * (side.edge(highest + 2) - widest * float(gap[0, 0]))
    apex = side.y - np.float32(highest) - np.float32(0.13) * (side.out - np.float32(middle)) ** 2
    return _smooth_minimum(_smooth_minimum(inside, apex), _collapsed_lung(side, severity))


def _collapsed_lung(side: LungView, severity: float) -> Float32:
    """Return a ray's distance inside an ellipse around the hilum, the shape of an airless lung."""
    out, y = side.hilum[0] + 0.2, side.hilum[1] + 1.5
    seen = max(4.6, side.beside(y + 2) - out + 2.2)  # beside the heart
    across, along = seen + 26 * (1 - severity), 7.0 + 30 * (1 - severity)
    far = np.hypot((side.out - np.float32(out)) / np.float32(across), (side.y - np.float32(y)) / np.float32(along))
    return np.asarray((1 - far) * np.float32(across), np.float32)


def _smooth_minimum(one: Float32, other: Float32) -> Float32:
    """Return the smaller of two values, without a corner."""
    close = (1 - np.abs(one - other) / 2).clip(0)
    return np.asarray(np.minimum(one, other) - close * close / 2, np.float32)


def _shrink_lung(side: LungView, inside: Float32) -> Bools:
    """Remove lung beyond its new surface and draw the pleura there; return the mask of the change."""
    chest, here = side.chest, side.out > 0
    rounded = 1 - (1 - inside / np.float32(_ROUND)).clip(0, 1) ** 2
    left = np.where(here, np.sqrt(rounded), np.float32(1))
    whole = float((chest.lung * here).sum())
    kept = float((chest.lung * left * here).sum()) / max(whole, 1e-3)
    width = max(_PLEURA / 2, 0.4 * chest.beam.pixel)
    line = np.float32(_TANGENT * _PLEURA / (2.5 * width)) * np.exp(-((inside / np.float32(width)) ** 2) / 2)
    chest.soft += line * here * smooth_step(chest.lung, 0.5, 2.0)
    chest.lung *= left
    chest.vessels *= left
    crowded = np.float32(np.clip(0.65 / max(kept, 0.2) - 1, 0, 0.5))  # a lung that lost a third of its air is denser
    chest.density += crowded * np.float32(chest.form.lung) * here
    return side.lung & ((inside < _ROUND / 2) | (crowded > _DENSER))


PNEUMOTHORAX = {"Pneumothorax": DrawnFinding(pneumothorax), "Hydropneumothorax": DrawnFinding(hydropneumothorax)}
