"""Draw an alveolar pattern: fluffy, confluent opacities that hide vessels, with air bronchograms (Fleischner)."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.bronchogram import bronchi
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, random_point, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.shapes import noise_field, smooth_step
from models.array_types import Bools, Float32

_AIR = 2.4  # air path of the bronchi that overlap along a ray, relative to one bronchus


def alveolar(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw one lobe, patches, or a bilateral butterfly pattern around the hila, from a faint haze to a white lung."""
    before = chest.attenuation()
    severity = float(request.severity or 0)
    both = request.side == "both"
    butterfly = both and float(random.uniform()) < 0.5
    lobar = not both and float(random.uniform()) < 0.55
    for side in requested_lungs(chest, request):
        if butterfly:
            core = _around_hilum(side, severity)
        elif lobar:
            core = _lobe(side, severity, random)
        else:
            core = _patches(side, severity, random)
        _consolidate(side, core, severity, random)
    return changed_mask(chest, before, 0.15, 0.25)


def _consolidate(side: LungView, core: Float32, severity: float, random: np.random.Generator) -> None:
    """Fill the lung unevenly where `core` is above 0, leaving air bronchograms."""
    chest = side.chest
    coarse, fine = noise_field(random, chest.beam, 1.9), noise_field(random, chest.beam, 0.7)
    fluff = np.float32(0.22) * coarse + np.float32(0.1) * fine
    share = smooth_step(core + fluff * (1.2 - core).clip(0, 1), -0.15, 1.15) ** 1.4 * smooth_step(side.out, 0, 1.5)
    share *= (1 + np.float32(0.09) * coarse + np.float32(0.05) * fine).clip(0.5, 1.4)
    share *= np.float32(0.09 + 0.21 * severity + 0.34 * severity**2)
    air = np.float32(_AIR) * bronchi(side, random) * smooth_step(share, 0.1, 0.4)
    chest.fill(share)
    chest.gas += np.minimum(air, chest.soft)


def _ball(side: LungView, out: float, y: float, across: float, along: float) -> Float32:
    """Return a blob: about 1 in the center, 0.3 on the ellipse, then fading."""
    x, y_ = (side.out - np.float32(out)) / np.float32(across), (side.y - np.float32(y)) / np.float32(along)
    return np.asarray(1.35 * np.exp(-1.1 * (x * x + y_ * y_)) - 0.15, np.float32)


def _around_hilum(side: LungView, severity: float) -> Float32:
    out, y = side.hilum
    return _ball(side, out + 1.5, y + 1.5, 3.5 + 3.0 * severity, 5.0 + 4.0 * severity)


def _lobe(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return a lobe: upper, with a straight border at the fissure; middle, beside the heart; or lower."""
    which = str(random.choice(("upper", "middle", "lower"), p=(0.3, 0.2, 0.5)))
    hilum = side.hilum[1]
    size = 0.65 + 0.45 * severity
    slope, sag = np.float32(random.normal(0.03, 0.1)), np.float32(random.normal(0.25, 0.3))
    fissure = np.float32(hilum + 0.8) + slope * (side.out - 6) + sag * np.sin(side.out * np.float32(0.35))
    if side.name == "left":
        fissure += np.float32(3.5)  # the left lung has no minor fissure, so the lobe fades out
    steep = 1.8 if side.name == "right" else 0.3
    if which == "upper":
        y = side.height(0.28)
        core = _ball(side, 0.5 * side.edge(y) + 0.8, y, 6.0 * size, 6.5 * size)
        return np.asarray(np.minimum(core, (fissure - side.y) * steep), np.float32)
    if which == "middle":
        core = _ball(side, side.mid(hilum + 4) + 2.0, hilum + 4.5, 5.5 * size, 5.5 * size)
        return np.asarray(np.minimum(core, (side.y - fissure) * steep), np.float32)
    y = side.height(0.74)
    middle = 0.5 * (side.mid(y) + side.edge(y)) + float(random.normal(0, 0.8))
    return _ball(side, middle, y, 5.5 * size, 6.0 * size)


def _patches(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return several ill-defined, confluent foci."""
    many = np.zeros(side.lung.shape, np.float32)
    spread = 2.0 + 3.0 * severity
    x, y, _ = random_point(side, random, (0.3, 0.85), margin=1.5)
    for _ in range(3 + int(random.binomial(5, 0.2 + 0.6 * severity))):
        radius = float(random.uniform(1.3, 2.3)) * (1 + severity)
        at = float(np.clip(y + float(random.normal(0, spread)), side.height(0.2), side.height(0.9)))
        out = float(np.clip(side.sign * x + float(random.normal(0, spread)), side.mid(at) + 1, side.edge(at)))
        wide = float(random.uniform(0.9, 1.4))
        many += np.float32(random.uniform(0.5, 1.0)) * _ball(side, out, at, radius * wide, radius)
    return many


ALVEOLAR = {"Alveolar Pattern": DrawnFinding(alveolar)}
