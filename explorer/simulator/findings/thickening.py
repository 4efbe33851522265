"""Draw pleural thickening: a band inside the chest wall, an apical cap, or a blunted angle with a sharp edge."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.shapes import noise_field, smooth_step
from models.array_types import Bools, Float32


def thickening(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw a 3 to 15 mm rind along part of the wall, and over some apices."""
    before = chest.attenuation()
    severity = float(request.severity or 0)
    both = request.side == "both"
    apical = float(random.uniform()) < 0.3  # only an apical cap
    for side in requested_lungs(chest, request):
        mine = severity * float(random.uniform(0.7, 1.0)) if both else severity
        solid = np.float32(0.35 + 0.5 * mine)  # lung in front and behind is visible through it
        rind = solid * _rind(side, mine, apical, random)
        chest.fill(np.maximum(rind, _veil(side, mine, apical, random)) * smooth_step(side.out, 0, 1.5))
    return changed_mask(chest, before, 0.02, 0.08)


def _rind(side: LungView, severity: float, apical: bool, random: np.random.Generator) -> Float32:
    """Return the fraction of each ray's lung replaced by thickened pleura."""
    down = (side.y - np.float32(side.top)) / np.float32(side.angle - side.top)
    thick = float(0.2 + 0.75 * severity)
    if apical:
        cap = np.float32(0.35 + 0.9 * thick) * (1 - smooth_step(down, 0.05, 0.2 + 0.08 * severity))
        return _band(side.below_top(), cap * _wall_variation(side.out, random, 0.16), 0.35)
    start = float(random.uniform(0.2, 0.5)) - 0.15 * severity
    band = np.float32(thick) * smooth_step(down, start, start + 0.25)
    blunt = np.float32(0.3 + 1.8 * severity) * smooth_step(down, 0.9, 1.02)  # fills the costophrenic angle
    return _band(side.wall(), (band + blunt) * _wall_variation(side.y, random, 0.2), 0.6)


def _veil(side: LungView, severity: float, apical: bool, random: np.random.Generator) -> Float32:
    """Return the haze that the same pleura adds en face, fading away from the wall."""
    depth = side.wall()
    down = (side.y - np.float32(side.top)) / np.float32(side.angle - side.top)
    where = 1 - smooth_step(down, 0.05, 0.3) if apical else smooth_step(down, 0.4, 0.85)
    patches = (0.6 + np.float32(0.55) * noise_field(random, side.chest.beam, 2.2)).clip(0, 1.6)
    veil = np.float32(0.12 * severity) * where * patches * (1 - smooth_step(depth, 0.3, 3.0 + 3.0 * severity))
    return np.asarray(veil, np.float32)


def _wall_variation(along: Float32, random: np.random.Generator, most: float) -> Float32:
    """Return a factor near 1 that varies along the wall, by `most` for each wave."""
    factor = np.ones_like(along)
    for wave in random.uniform((8.0, 4.5, 2.4), (16.0, 8.0, 4.5)):
        much, start = random.uniform((0.3, 0), (1.7, 6.3)).astype(np.float32)
        much *= np.float32(most * (wave / 8) ** 0.7)
        factor += much * np.sin(along * np.float32(2 * np.pi / wave) + start)
    return np.asarray(factor, np.float32)


def _band(depth: Float32, thick: Float32, sharp: float) -> Float32:
    """Return 1 up to a depth from the wall, 0 beyond; `sharp` is the fraction of the depth where the edge begins."""
    return np.asarray((1 - smooth_step(depth / thick.clip(0.05), sharp, 1.2)) * (thick > 0.06), np.float32)


THICKENING = {"Pleural Thickening": DrawnFinding(thickening)}
