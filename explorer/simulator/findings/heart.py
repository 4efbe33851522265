"""Draw cardiomegaly: the heart is wider than half of the chest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.anatomy.heart import fat_pads, heart_chambers, merge_paths
from explorer.simulator.chest import Chest
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.request import Request
from models.array_types import Bools

_SEEN = 1.5  # cm of heart on a ray that are visible
_MOVED = 0.5  # cm gained or lost


def _enlarge(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Return the form with a cardiothoracic ratio of 0.53 to 0.7 (over 0.5 is enlarged: Danzer 1919), mostly left."""
    severity = float(request.severity or 0)
    ratio = 0.522 + 0.165 * severity**1.6 + float(random.uniform(0, 0.015))
    width = max(2 * form.half_width * ratio, form.heart_width + 1.0)
    grown = width - form.heart_width
    left = float(random.uniform(0.68, 0.84))  # fraction of the widening on the left border
    return replace(form, heart_width=width, heart_x=form.heart_x + (left - 0.5) * grown)


def _heart(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Return the whole cardiac shadow above the diaphragm, and changes in the fat beside it."""
    form, beam = chest.form, chest.beam
    healthy = form_of(beam.patient)
    before = replace(form, heart_width=healthy.heart_width, heart_x=healthy.heart_x)
    heart = merge_paths(heart_chambers(form, beam))
    now, then = (
        merge_paths([heart, *fat_pads(form, beam)]),
        merge_paths([*heart_chambers(before, beam), *fat_pads(before, beam)]),
    )
    seen = (heart > _SEEN) | (np.abs(now - then) > _MOVED)
    points = np.concatenate(list(chest.marks.domes.values()))
    points = points[np.argsort(points[:, 0])]
    x, y = beam.at(0)
    floor = np.interp(x, points[:, 0], points[:, 1]).astype(np.float32)
    return np.asarray(seen & (y < floor + 0.3))


HEART = {"Cardiomegaly": DrawnFinding(_heart, _enlarge)}
