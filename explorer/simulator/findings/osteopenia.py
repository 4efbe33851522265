"""Draw osteopenia: bones with low mineral content."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import gaussian_filter

from explorer.simulator.anatomy.form import Form
from explorer.simulator.chest import Chest
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.stoop import end_plates
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step
from models.array_types import Bools

_BONE = 0.25  # minimum cm of healthy bone on a ray that is visible
_CORTEX = 0.16  # cm
_LEFT = 2.4  # cortex added back at severity 1, relative to the thinned cortex


def _thin_bone(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Return the form with lower mineral; a film shows a loss of one third or more (Lachman and Whelan, Radiology
    1936).
    """
    severity = float(request.severity or 0)
    return replace(form, bone=min(form.bone, 0.95) * (0.66 - 0.25 * severity + float(random.uniform(-0.02, 0.02))))


def _bones(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Thin the medulla first, keep a thin cortex, and sink the end plates of weak vertebral bodies.

    The mask is the bone.
    """
    mask = chest.bone > _BONE * np.float32(chest.form.bone)
    cortex = (chest.bone - gaussian_filter(chest.bone, _CORTEX / chest.beam.pixel)).clip(0)
    severity, bodies = float(request.severity or 0), chest.marks.vertebrae
    x, y = chest.beam.at(float(bodies[:, 2].mean()))
    across = x - np.interp(y[:, 0], bodies[:, 1], bodies[:, 0])[:, None].astype(np.float32)
    ends = smooth_step(y, float(bodies[1, 1]), float(bodies[3, 1])) * (y < float(bodies[-1, 1]) + 1)
    chest.bone += ends * np.float32(0.2 + 0.5 * severity) * end_plates(across, y, bodies, -0.06 - 0.14 * severity, 0.07)
    chest.bone += cortex * np.float32(_LEFT * severity**0.6)
    return np.asarray(mask)


OSTEOPENIA = {"Osteopenia": DrawnFinding(_bones, _thin_bone)}
