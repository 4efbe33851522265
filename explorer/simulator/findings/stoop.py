"""Draw kyphosis on a frontal film: bodies seen along their end plates, steep ribs, and a low head."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.chest import Chest, Points
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step
from models.array_types import Bools, Float32

_HALF = np.float32(4.4)  # cm from the midline to the rib necks, which crowd beside the bodies
_NECK = 7.0  # cm of cervical spine above T1 that extends backward


def kyphotic_form(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Return a stooped form: crowded, dense vertebrae, steep posterior ribs, and slightly shorter lungs.

    The chin drops, and the heart is seen from higher up and looks broader, within the normal range.
    """
    severity = float(request.severity or 0)
    broad = form.heart_width * (1 + 0.03 * severity)
    return replace(
        form,
        spine_round=form.spine_round + 0.25 + 0.95 * severity + float(random.uniform(0, 0.1)),
        rib_slope=form.rib_slope * (1.04 + 0.42 * severity),
        dome_right=form.dome_right - 0.1 - 1.0 * severity,
        dome_left=form.dome_left - 0.1 - 1.0 * severity,
        heart_width=min(broad, max(form.heart_width, 0.49 * 2 * form.half_width)),
        chin=max(form.chin, form.apex - 5.0 + 7.5 * severity),
    )


def draw_kyphosis(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw a dense band where the beam runs along the tilted bodies, their arches and rib necks.

    Crowded paraspinal tissue widens the middle of the chest, and tissue of the neck and shoulders descends in front
    of the apices.
    """
    severity = float(request.severity or 0)
    bodies = chest.marks.vertebrae
    x, y = chest.beam.at(float(bodies[:, 2].mean()))
    across = x - np.interp(y[:, 0], bodies[:, 1], bodies[:, 0])[:, None].astype(np.float32)
    off = np.abs(across)
    top, end = 2 * bodies[0, 1] - bodies[1, 1], 2 * bodies[-1, 1] - bodies[-2, 1]
    within = smooth_step(y, top - 2, top + 1.5) * (1 - smooth_step(y, end - 7, end + 1))
    crest = 0.5 + 0.5 * np.abs(np.interp(y, bodies[:, 1], np.linspace(1, -0.8, 12))).astype(np.float32)
    band = within * crest
    chest.bone *= 1 + (0.2 + 0.25 * severity) * band * (1 - smooth_step(off, 1.9, 3.2))
    chest.bone += (0.15 + 0.35 * severity) * band * (1 - smooth_step(off, 1.3, 2.1))
    chest.bone += (1.0 + 1.7 * severity) * within * end_plates(across, y, bodies, 0.16, 0.11)
    wide = 0.5 + 1.1 * severity
    crowd = (1 - smooth_step(off, 2.2 + 0.5 * wide, 3.0 + wide)) * within
    high, reach = chest.form.apex, 1.8 + 4.0 * severity
    sunk = (
        (1 - smooth_step(y, high + 0.3 * reach, high + reach + 0.8))
        * (1 - smooth_step(off, 7.5, 11))
        * smooth_step(y, -8, -2)
    )
    chest.soft += (1.4 + 3.2 * severity) * crowd + (1.2 + 3.6 * severity) * sunk
    return np.asarray(((off < _HALF) & (y > top - _NECK) & (y < end)) | (sunk > 0.15))


def end_plates(across: Float32, y: Float32, bodies: Points, sag: float, thick: float) -> Float32:
    """Return the path fraction (size, size) along end plates that bulge by `sag` vertebra steps, or sink in below 0."""
    nearest = np.abs(y - bodies[:, 1]).argmin(1)
    step = np.gradient(bodies[:, 1])[nearest, None].astype(np.float32)
    low = (y - bodies[nearest, 1, None].astype(np.float32)) / step
    bow = np.float32(sag) * ((across / np.float32(1.7)) ** 2 - np.float32(sag < 0))
    rim = np.exp(-(((np.abs(low) + bow - np.float32(0.42)) / np.float32(thick)) ** 2))
    return np.asarray(rim * (1 - smooth_step(np.abs(across), 1.4, 1.9)), np.float32)
