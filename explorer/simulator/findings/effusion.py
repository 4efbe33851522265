"""Draw a pleural effusion, which first blunts the costophrenic angle and then climbs the side wall as a meniscus.

About 200 ml blunt the lateral angle on an upright film; more hides the diaphragm, then the heart border. In a supine
patient, fluid layers behind the lung as a veil (Fleischner glossary; Felson's principles).
"""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.layered import layered_fluid
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step
from models.array_types import Bools, Float32

_VISIBLE_VESSELS = 0.8  # fraction of the vessels that stays visible through a veil


def effusion(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw fluid, from a blunted angle to more than half of the hemithorax."""
    before = chest.attenuation()
    severity = float(request.severity or 0)
    lying = chest.beam.patient.lying
    for side in requested_lungs(chest, request):
        mine = float(np.clip(severity * random.uniform(0.75, 1.1), 0, 1)) if request.side == "both" else severity
        vessels = chest.vessels.copy()
        chest.fill(
            layered_fluid(side, mine) if lying else _meniscus(side, mine, random) * smooth_step(side.out, 0, 1.5)
        )
        if lying:  # lung and vessels float in front of the fluid
            chest.vessels += np.float32(_VISIBLE_VESSELS) * (vessels - chest.vessels)
    return changed_mask(chest, before, 0.04, 0.1) if lying else changed_mask(chest, before, 0.1 - 0.05 * severity, 0.25)


def _meniscus(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return the fraction of each ray's lung that fluid replaces, higher near the side wall."""
    height = 1.5 + float(random.uniform(11.5, 14.5)) * severity**1.7
    spread = 1.0 + 2.7 * severity  # cm from the wall over which the meniscus descends
    drop = 2.6 + float(random.uniform(0.5, 1.8)) * severity  # cm from its rim to its lowest point
    from_wall = (side.outer - side.out).clip(0)
    rim = np.float32(side.angle - height)
    surface = rim + np.float32(drop) * (1 - np.exp(-from_wall / np.float32(spread)))
    rise = np.float32(0.8 * severity) * smooth_step(-side.out, -5, 0)  # slightly higher again at the mediastinum
    below = side.y - surface + rise
    width = 0.5 + np.float32(0.7 + 1.9 * severity) * (1 - np.exp(-from_wall / np.float32(2.5)))
    return smooth_step(below / width, -0.45, 1.0)


EFFUSION = {"Pleural Effusion": DrawnFinding(effusion)}
