"""Kyphosis as a frontal film shows it: bodies seen along their plates, steep ribs, the head before the apices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.phantom.anatomy.form import Form
from explorer.phantom.chest import Bools, Chest
from explorer.phantom.request import Request
from explorer.phantom.shapes import smooth

_HALF = np.float32(3.8)  # cm from the middle to the necks of the ribs, which crowd beside the bodies
_NECK = 7.0  # cm of the neck's vertebrae above T1, which bend back over the stoop


def kyphosis(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Stooped: vertebrae crowded, and dense where the beam runs along them; ribs steep behind, lungs a little short.

    Shoulders and skin stay where they are: they would tell the finding without its bones. The chin sinks, and the heart
    is seen from further above, broader, within the healthy.
    """
    severity = float(request.severity or 0)
    broad = form.heart_width * (1 + 0.03 * severity)
    return replace(
        form,
        spine_round=form.spine_round + 0.22 + 0.9 * severity + float(random.uniform(0, 0.1)),
        rib_slope=form.rib_slope * (1.02 + 0.3 * severity),
        dome_right=form.dome_right - 0.1 - 0.3 * severity,
        dome_left=form.dome_left - 0.1 - 0.3 * severity,
        heart_width=min(broad, max(form.heart_width, 0.49 * 2 * form.half_width)),
        chin=max(form.chin, form.apex - 7.0 + 9.5 * severity),
    )


def stooped(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """The beam runs along the tilted bodies, their arches and the ribs' necks: a dense band, most so where it bends.

    The tissue beside the spine, crowded as they are, broadens the middle of the chest.
    """
    severity = float(request.severity or 0)
    bodies = chest.marks.vertebrae
    x, y = chest.beam.at(float(bodies[:, 2].mean()))
    off = np.abs(x - np.interp(y[:, 0], bodies[:, 1], bodies[:, 0])[:, None].astype(np.float32))
    top, end = 2 * bodies[0, 1] - bodies[1, 1], 2 * bodies[-1, 1] - bodies[-2, 1]
    within = smooth(y, top - 2, top + 1.5) * (1 - smooth(y, end - 7, end + 1))
    crest = 0.5 + 0.5 * np.abs(np.interp(y, bodies[:, 1], np.linspace(1, -0.8, 12))).astype(np.float32)
    band = within * crest
    chest.bone *= 1 + (0.3 + 0.7 * severity) * band * (1 - smooth(off, 1.9, 3.2))
    chest.bone += (0.45 + 1.4 * severity) * band * (1 - smooth(off, 1.3, 2.1))
    chest.soft += (0.8 + 2.0 * severity) * band * (1 - smooth(off, 2.0, 3.6))
    return np.asarray((off < _HALF) & (y > top - _NECK) & (y < end))
