"""Draw calcified densities: granulomas and hilar nodes, denser than soft nodules of the same size."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.lump import lump
from explorer.simulator.findings.side import LungView, random_point, requested_lungs
from explorer.simulator.request import Request
from models.array_types import Bools


def calcified(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw a few lung granulomas of 3 to 12 mm, often with calcified hilar nodes on the same side."""
    before = chest.attenuation()
    severity = float(request.severity or 0)
    for side in requested_lungs(chest, request):
        count = 1 + int(random.binomial(4, 0.25 + 0.5 * severity))
        for number in range(count):
            radius = 0.17 + (0.08 + 0.32 * severity) * float(random.uniform(0, 1)) ** 1.5
            heights, margin = (0.08, 0.75), 0.5
            if number == 0:  # the most visible one
                radius, heights, margin = max(radius, 0.2 + 0.37 * severity), (0.15, 0.7), 0.5 + 1.3 * severity
            _calcified_lump(chest, random_point(side, random, heights, margin), radius, 1.75 - 0.05 * severity, random)
        nodes = int(random.binomial(3, 0.2 + 0.5 * severity))
        for _ in range(nodes):
            _calcified_lump(
                chest, _hilar_point(side, random), float(random.uniform(0.22, 0.35 + 0.4 * severity)), 1.3, random
            )
    return changed_mask(chest, before, 0.08)


def _calcified_lump(
    chest: Chest, center: tuple[float, float, float], radius: float, mineral: float, random: np.random.Generator
) -> None:
    """Draw a calcified lump; `mineral` is relative to the attenuation of cortical bone."""
    path = lump(chest.beam, center, (radius, radius * float(random.uniform(0.75, 1))), random, 0.2)
    speckles = lump(chest.beam, center, (radius * 0.6, radius * 0.5), random, 0.3)
    chest.bone += np.float32(mineral) * (path + 0.7 * speckles)


def _hilar_point(side: LungView, random: np.random.Generator) -> tuple[float, float, float]:
    out, y = side.hilum
    return side.point(out + float(random.normal(0.2, 0.5)), y + float(random.normal(0.2, 0.9)), 0.0)


CALCIFIED = {"Calcified Densities": DrawnFinding(calcified)}
