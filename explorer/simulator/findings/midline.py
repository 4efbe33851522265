"""Draw an azygos lobe's fissure and a hiatal hernia."""

from __future__ import annotations

import numpy as np

from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask, fill_with_water
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import lung_view
from explorer.simulator.findings.texture import in_depth
from explorer.simulator.request import Request
from explorer.simulator.shapes import curved_tube, ellipsoid, smooth_step
from models.array_types import Bools, Float32


def azygos_lobe(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw a fine, laterally convex line from the right apex down to a teardrop: the azygos vein in its fissure."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    side, (x, y, z) = lung_view(chest, "right"), chest.marks.carina
    far = side.edge(side.height(0.08))
    share = random.uniform(0.45, 0.6) + 0.2 * severity
    top = in_depth(side, np.array([(far * share, side.height(0.015 + 0.03 * share))]), np.array([-1.0]))[0]
    foot = np.array([x - 2.0 - 0.9 * severity, y - random.uniform(0.3, 1.2), z])
    t = np.linspace(0, 1, 24)[:, None]
    bulge = np.array([-(0.9 + 0.9 * severity) * random.uniform(0.8, 1.2), 0, 0])
    line = top + (foot - top) * t + bulge * np.sin(np.pi * t**0.9) ** 0.9
    sheet = (13 + 6 * severity) * curved_tube(chest.beam, line, 0.06 + 0.02 * severity)
    size = 0.4 + 0.3 * severity
    drop = ellipsoid(chest.beam, (foot[0], foot[1] - 0.3, z), (size, size * 1.7, size * 2), 0.3)
    fill_with_water(chest, np.maximum(sheet, drop))
    return changed_mask(chest, before)


def hernia(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw a hiatal hernia: a round retrocardiac mass above the diaphragm, usually with an air-fluid level."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    domes = chest.marks.domes
    base = min(float(domes[side][:, 1].min()) for side in domes)
    radius = (2.2 + 2.0 * severity) * random.uniform(0.92, 1.08)
    x, y, z = random.normal(1.0, 0.9), base - radius * random.uniform(0.3, 0.55), -3.0
    rx, ry = _asymmetric_coordinates(chest.beam, (x, y, z), radius, random)
    inside = 1 - rx**2 - ry**2
    outer = 2 * np.float32(radius) * np.sqrt(inside.clip(0))
    fill_with_water(chest, outer)
    upright = not chest.beam.patient.lying
    wall = 1 - (1 - (0.2 if upright else 0.35) / radius) ** 2
    hollow = 2 * np.float32(radius) * np.sqrt((inside - wall).clip(0))
    level, share = y + radius * random.uniform(-0.35, 0.25), np.float32(random.uniform(0.7, 0.9))
    if upright:  # the fluid has a level
        chest.gas += share * hollow * smooth_step(level - chest.beam.at(z)[1], -0.04, 0.04)
    else:  # supine, gas lies in front of the fluid
        low = smooth_step(chest.beam.at(z)[1] - y, 0.2 * radius, 0.9 * radius)
        chest.gas += np.float32(0.64 + 0.31 * severity) * hollow * (1 - np.float32(0.45) * low)
    return np.asarray(changed_mask(chest, before) | (outer > 0))


def _asymmetric_coordinates(
    beam: Beam, center: tuple[float, float, float], radius: float, random: np.random.Generator
) -> tuple[Float32, Float32]:
    """Return coordinates (size, size) in which an asymmetric round shape is the unit circle."""
    x, y = beam.at(center[2])
    dx, dy = (x - np.float32(center[0])) / radius, (y - np.float32(center[1])) / radius
    angle = np.arctan2(dy, dx)
    size = np.full_like(angle, random.uniform(0.98, 1.05))
    for wave in (2, 3, 4):
        size += np.float32(random.normal(0, 0.15 / wave)) * np.cos(wave * angle + np.float32(random.uniform(0, 6.3)))
    wide = np.float32(random.uniform(1.0, 1.25))
    return dx / (size * wide), dy / size


MIDLINE = {"Azygos Lobe": DrawnFinding(azygos_lobe), "Hernia": DrawnFinding(hernia)}
