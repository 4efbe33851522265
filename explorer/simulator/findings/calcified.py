"""Calcified densities: granulomas, hilar nodes and pleural plaques, denser than a soft nodule of their size."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import shown
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.lump import lump
from explorer.simulator.findings.side import Side, place, sides
from explorer.simulator.request import Request
from models.array_types import Bools


def calcified(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """A few granulomas of 3 to 12 mm in the lung, often with calcified nodes in the hilum of that side."""
    before = chest.attenuation()
    severity = float(request.severity or 0)
    for side in sides(chest, request):
        count = 1 + int(random.binomial(4, 0.25 + 0.5 * severity))
        for number in range(count):
            radius = 0.17 + (0.08 + 0.32 * severity) * float(random.uniform(0, 1)) ** 1.5
            heights, margin = (0.08, 0.75), 0.5
            if number == 0:  # the one that is found first
                radius, heights, margin = max(radius, 0.2 + 0.37 * severity), (0.15, 0.7), 0.5 + 1.3 * severity
            _stone(chest, place(side, random, heights, margin), radius, 1.75 - 0.05 * severity, random)
        nodes = int(random.binomial(3, 0.2 + 0.5 * severity))
        for _ in range(nodes):
            _stone(chest, _beside(side, random), float(random.uniform(0.22, 0.35 + 0.4 * severity)), 1.3, random)
    return shown(chest, before, 0.08)


def _stone(
    chest: Chest, center: tuple[float, float, float], radius: float, mineral: float, random: np.random.Generator
) -> None:
    """A calcified lump; `mineral` is the share of compact bone's attenuation."""
    path = lump(chest.beam, center, (radius, radius * float(random.uniform(0.75, 1))), random, 0.2)
    speckles = lump(chest.beam, center, (radius * 0.6, radius * 0.5), random, 0.3)
    chest.bone += np.float32(mineral) * (path + 0.7 * speckles)


def _beside(side: Side, random: np.random.Generator) -> tuple[float, float, float]:
    out, y = side.hilum
    return side.point(out + float(random.normal(0.2, 0.5)), y + float(random.normal(0.2, 0.9)), 0.0)


CALCIFIED = {"Calcified Densities": DrawnFinding(calcified)}
