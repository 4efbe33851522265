"""Draw spinal degeneration, kyphosis and scoliosis."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.chest import Chest
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.stoop import draw_kyphosis, kyphotic_form
from explorer.simulator.findings.wear import degeneration
from explorer.simulator.request import Request
from explorer.simulator.shapes import curved_tube
from models.array_types import Bools

_BESIDE = 1.7  # cm on each side of the center that the column takes


def scoliotic_form(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Return the form with the spine curved toward the requested side.

    Scoliosis starts at a Cobb angle of 10 degrees (Scoliosis Research Society), about 0.7 cm of deviation over 24 cm
    of spine; 45 degrees are 3.3 cm.
    """
    severity = float(request.severity or 0)
    sign = -1.0 if request.side == "right" else 1.0
    return replace(form, spine_bend=sign * (0.9 + 3.0 * severity + float(random.uniform(0, 0.3))))


def _spine_mask(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Return the area of the thoracic spine on the film."""
    bodies = chest.marks.vertebrae
    ends = np.stack([bodies[0] - (bodies[1] - bodies[0]) / 2, bodies[-1] + (bodies[-1] - bodies[-2]) / 2])
    return curved_tube(chest.beam, np.concatenate([ends[:1], bodies, ends[1:]]), _BESIDE) > 0


SPINE = {
    "Vertebral Degenerative Changes": DrawnFinding(degeneration),
    "Kyphosis": DrawnFinding(draw_kyphosis, kyphotic_form),
    "Scoliosis": DrawnFinding(_spine_mask, scoliotic_form),
}
