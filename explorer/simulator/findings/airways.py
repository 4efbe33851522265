"""Draw bronchiectasis: dilated bronchi."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.findings.texture import in_depth, random_spot, texture_mask
from explorer.simulator.request import Request
from explorer.simulator.shapes import noise_field, tubes
from models.array_types import Bools, Float32

_WALL = 0.055  # cm, half the thickness of a bronchial wall
_KNOTS = 9  # points along a bronchus
_CORNERS = 13  # points around a bronchus; the first and the last are the same


def bronchiectasis(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw tram lines that do not taper and rings where bronchi are seen end on, in crowded, hazy lung of one zone."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    for side in requested_lungs(chest, request):
        low = random.uniform() < 0.75
        place = random_spot(side, random, (0.6, 0.78) if low else (0.2, 0.35), (0.15, 0.6))
        middle = in_depth(side, np.array([place]), random.uniform(-4, 0, 1))[0]
        x, y = chest.beam.at(middle[2])
        wide = np.float32(1.6 + 1.7 * severity)
        haze = np.exp(-(((x - middle[0]) / wide) ** 2) - ((y - middle[1]) / (1.3 * wide)) ** 2)
        chest.density += (
            (0.065 + 0.165 * severity) * haze * (1 + 0.3 * noise_field(random, chest.beam, 0.6)) * side.lung
        )
        _trams(side, middle, severity, random)
        _rings(side, middle, severity, random)
    return texture_mask(chest, before, near=0.3, share=0.08)


def _trams(side: LungView, middle: Points, severity: float, random: np.random.Generator) -> None:
    """Draw tram lines: parallel bronchial walls a few millimeters apart, coming from the hilum."""
    chest = side.chest
    axes, walls, radii = [], [], []
    for _ in range(int(4 + 4 * severity)):
        end = middle + random.normal(0, 1.5 + 1.3 * severity, 3)
        along = end - np.array(chest.marks.hila[side.name])
        along /= max(float(np.linalg.norm(along)), 0.1)
        across = np.array([-along[1], along[0], 0.0])
        t = np.linspace(0, 1, _KNOTS)[:, None]
        bow = across * (random.normal(0, 0.35) * np.sin(np.pi * t) + 0.04 * random.standard_normal((_KNOTS, 1)))
        line = end - along * random.uniform(1.5, 4.0) * (1 - t) + bow
        radius = random.uniform(0.18, 0.3) + 0.15 * severity
        axes.append(line)
        walls += [line + across * radius, line - across * radius * random.uniform(0.85, 1.1)]
        radii.append(np.full((_KNOTS - 1, 2), radius))
    edges = _tubes(chest, walls, np.full((len(walls) * (_KNOTS - 1), 2), _WALL))
    chest.vessels += (3.9 + 2.9 * severity) * edges * side.lung
    chest.lung -= np.minimum(0.8 * _tubes(chest, axes, np.concatenate(radii)), chest.lung)


def _tubes(chest: Chest, lines: list[Points], radii: Points) -> Float32:
    """Return the path (size, size) through tubes along lines (knots, 3)."""
    starts, ends = np.concatenate([each[:-1] for each in lines]), np.concatenate([each[1:] for each in lines])
    return tubes(chest.beam, starts, ends, radii)


def _rings(side: LungView, middle: Points, severity: float, random: np.random.Generator) -> None:
    """Draw clusters of irregular bronchi seen end on, some beside the dot of their artery (signet ring sign)."""
    chest, count = side.chest, int(6 + 11 * severity)
    at = middle + random.normal(0, 1.3 + 1.2 * severity, (count, 3)) * (0.9, 1.2, 1)
    radius = (0.2 + 0.1 * severity) * random.gamma(6, 1 / 5, count).clip(0.6, 2.2)
    angle = np.linspace(0, 2 * np.pi, _CORNERS)
    lines, thick = [], []
    for place, r in zip(at, radius, strict=True):
        flat, turn, phase = random.uniform(0.7, 1.0), random.uniform(0, np.pi), random.uniform(0, 2 * np.pi)
        size = r * (1 + 0.1 * np.cos(3 * angle + phase))
        u, v = size * np.cos(angle), flat * size * np.sin(angle)
        out = np.stack([u * np.cos(turn) - v * np.sin(turn), u * np.sin(turn) + v * np.cos(turn), 0 * u], 1)
        lines.append(place + out)
        thick.append(_WALL * (1 + 0.35 * np.cos(angle[:-1] + phase)))
    walls = _tubes(chest, lines, np.concatenate(thick)[:, None].repeat(2, 1))
    chest.vessels += (3.9 + 3.1 * severity) * walls * side.lung
    inner = 0.75 * np.stack([radius, radius], 1)
    chest.lung -= np.minimum(tubes(chest.beam, at, at + (0.01, 0.0, 0.0), inner), chest.lung)
    dots = at + np.stack([radius * 1.2, radius * 0.4, 0 * radius], 1)
    chest.vessels += tubes(chest.beam, dots, dots + (0.01, 0, 0), 0.5 * inner) * side.lung


AIRWAYS = {"Bronchiectasis": DrawnFinding(bronchiectasis)}
