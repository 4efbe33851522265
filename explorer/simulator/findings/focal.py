"""Draw round lung opacities: nodules up to 3 cm, and masses over 3 cm (Fleischner glossary, 2008)."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask, fill_with_water
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.lump import lump
from explorer.simulator.findings.side import LungView, random_point, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.shapes import tubes
from models.array_types import Bools, Float32


def nodule(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw one round opacity, 1.2 to 3 cm across, sometimes spiculated."""
    radius = 0.6 + 0.9 * float(request.severity or 0)
    rough = float(random.choice((0.04, 0.1)))
    return _solid(chest, request, random, radius, rough, float(random.uniform()) < 0.3, edge=1.1, deep=1.9)


def mass(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw one lobulated opacity, 3.2 to 8 cm across, sometimes spiculated and rarely cavitated."""
    severity = float(request.severity or 0)
    radius = 1.62 + 2.23 * severity**1.4
    hollow, deep = float(random.uniform()) < 0.12, 0.7 + 0.55 * severity
    return _solid(chest, request, random, radius, 0.22, float(random.uniform()) < 0.6, hollow, deep=deep)


def _solid(
    chest: Chest,
    request: Request,
    random: np.random.Generator,
    radius: float,
    rough: float,
    spiculated: bool,
    hollow: bool = False,
    edge: float = 0.8,
    *,
    deep: float,
) -> Bools:
    """Draw a solid opacity; `edge` as in lump, and `deep` is its depth relative to its width."""
    before = chest.attenuation()
    side = requested_lungs(chest, request)[0]
    center = random_point(side, random, (0.18, 0.85), margin=min(0.5 + 0.8 * radius, 2.6))
    flat, tilt = float(random.uniform(0.8, 1.0)), float(random.uniform(0, np.pi))
    path = lump(chest.beam, center, (radius, radius * flat), random, rough, tilt, edge=edge)
    if spiculated:
        path = np.maximum(path, _spicules(side, center, radius, random))
    if hollow:
        path -= lump(chest.beam, center, (radius * 0.6, radius * flat * 0.55), random, rough, tilt)
    fill_with_water(chest, path * np.float32(deep))
    return changed_mask(chest, before)


def _spicules(
    side: LungView, center: tuple[float, float, float], radius: float, random: np.random.Generator
) -> Float32:
    """Return thin strands radiating from the border."""
    count = int(8 + 5 * radius)
    angle = random.uniform(0, 2 * np.pi, count)
    ray = np.stack([np.cos(angle), np.sin(angle), np.zeros(count)], 1)
    length = radius * random.uniform(1.15, 1.6, count)
    start = np.array(center) + 0.6 * radius * ray
    end = np.array(center) + length[:, None] * ray
    return tubes(side.chest.beam, start, end, np.tile((0.16, 0.03), (count, 1)) * min(1.0, 0.5 + 0.4 * radius))


FOCAL = {"Nodule": DrawnFinding(nodule), "Mass": DrawnFinding(mass)}
