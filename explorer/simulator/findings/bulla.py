"""Draw a bulla: an airspace over 1 cm wide with a wall under 1 mm and no vessels inside (Fleischner glossary)."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask, remove_lung
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.lump import lump
from explorer.simulator.findings.side import LungView, random_point, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.shapes import noise_field, smooth_step
from models.array_types import Bools

_WALL = 0.09  # cm
_IRREGULARITY = 0.13  # irregularity of the outline, relative to the radius


def bulla(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw one large airspace 3 to 10 cm across, usually in the upper lung, sometimes with smaller ones beside it."""
    before = chest.attenuation()
    severity = float(request.severity or 0)
    side = requested_lungs(chest, request)[0]
    radius = 1.7 + 3.4 * severity**1.15
    high = float(random.uniform()) < 0.8
    center = random_point(side, random, (0.05, 0.35) if high else (0.5, 0.8), margin=0.7 * radius)
    deep = 1.55 - 0.15 * severity
    draw_airspace(side, center, radius, deep, random)
    for _ in range(int(random.binomial(2, 0.2 + 0.4 * severity))):
        angle = float(random.uniform(0, 2 * np.pi))
        away = radius * float(random.uniform(0.9, 1.3))
        beside = (center[0] + away * np.cos(angle), center[1] + away * np.sin(angle), center[2])
        draw_airspace(side, beside, radius * float(random.uniform(0.3, 0.55)), deep, random)
    return changed_mask(chest, before, 0.15, 0.08)


def draw_airspace(
    side: LungView,
    center: tuple[float, float, float],
    radius: float,
    deep: float,
    random: np.random.Generator,
    wall: float = _WALL,
) -> None:
    """Draw an airspace with its wall; `deep` is its depth relative to its width."""
    chest = side.chest
    shape = (radius * float(random.uniform(0.62, 1.0)), radius)
    tilt = float(random.uniform(0, np.pi))
    state = random.bit_generator.state
    path = np.float32(deep) * lump(chest.beam, center, shape, random, _IRREGULARITY, tilt)
    random.bit_generator.state = state  # repeat the same outline
    shell = lump(chest.beam, center, shape, random, _IRREGULARITY, tilt, wall=wall)
    there = np.minimum(path, chest.lung)
    share = there / chest.lung.clip(1e-3)
    remove_lung(chest, share)
    patchy = (0.8 + np.float32(0.45) * noise_field(random, chest.beam, 1.6)).clip(
        0.35, 1.6
    )  # visible where a ray grazes it
    chest.soft += shell * patchy * smooth_step(chest.lung + there, 3, 7)


BULLA = {"Bulla": DrawnFinding(bulla)}
