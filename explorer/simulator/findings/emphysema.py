"""Draw emphysema."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.bulla import draw_airspace
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import lung_view, random_point
from explorer.simulator.findings.texture import lateral_position, texture_mask, vertical_position
from explorer.simulator.request import Request
from explorer.simulator.shapes import noise_field, smooth_step
from models.array_types import Bools


def emphysema(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw lucent lung with few vessels, usually in the upper zones (centrilobular), sometimes the lower (panlobular).

    Severe cases show the thin walls of bullae.
    """
    before, severity = chest.attenuation(), float(request.severity or 0)
    upper = bool(random.uniform() < 0.75)
    patches = smooth_step(noise_field(random, chest.beam, 3.5) + 0.7 * noise_field(random, chest.beam, 1.3), -1.2, 1.0)
    for name in ("right", "left"):
        side = lung_view(chest, name)
        reach = random.uniform(0.45, 0.65) + 0.25 * severity
        v = vertical_position(side)
        height = 1 - smooth_step(v, reach - 0.25, reach + 0.2) if upper else smooth_step(v, 0.75 - reach, 1.1 - reach)
        lost = height * (0.5 + 0.5 * patches) * smooth_step(lateral_position(side), -0.15, 0.1)
        chest.density *= 1 - (0.2 + 0.36 * severity) * lost
        chest.vessels *= 1 - (0.25 + 0.65 * severity) * lost
        for _ in range(int(random.binomial(5, max(severity - 0.45, 0.0)))):
            radius = float(random.uniform(0.8, 1.2 + 1.3 * severity))
            where = random_point(side, random, (0.03, 0.35), margin=0.5 * radius)
            draw_airspace(side, where, radius, 0.9, random, wall=0.06)
    return texture_mask(chest, before, share=0.12)


EMPHYSEMA = {"Emphysema": DrawnFinding(emphysema)}
