"""Draw hilar enlargement from lymph nodes; for pulmonary arteries, see arteries.py."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.arteries import vascular_hilar_enlargement
from explorer.simulator.findings.change import changed_mask, fill_with_water
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.scale import blur_map
from explorer.simulator.shapes import ellipsoid
from models.array_types import Bools, Float32

_STACKED = np.float32(1.45)  # path factor, because nodes overlap along the ray
_SOFT = 0.07  # cm, blur from cardiac motion


def adenopathy(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw lobulated nodes that merge with the hilum, and paratracheal or aortopulmonary window nodes."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    for side in requested_lungs(chest, request):
        out, y = side.hilum
        z = chest.marks.hila[side.name][2]
        size = 0.75 + 0.7 * severity
        edge = out - 1.7  # the border of the mediastinum
        nodes = [_node(side, (edge, y + 0.5, z), (0.5 * (out - edge) + 0.9 * size, 1.7 * size, size))]
        for _ in range(int(3 + 4 * severity)):
            radius = size * random.uniform(0.7, 1.1)
            down = random.normal(0.6, 0.7 + 0.6 * severity)
            far = edge + random.uniform(0.1, 1.0) * (out - edge + 0.7 * size - 0.25 * abs(down))
            nodes.append(_node(side, (far, y + down, z), (radius, radius * random.uniform(0.9, 1.4), radius)))
        if random.uniform() < 0.25 + 0.6 * severity:
            nodes += _mediastinal(side, severity, random)
        fill_with_water(chest, blur_map(_STACKED * _merge_nodes(*nodes), _SOFT / chest.beam.pixel))
    return changed_mask(chest, before)


def _node(side: LungView, place: tuple[float, float, float], radii: tuple[float, float, float]) -> Float32:
    """Return the path through a node at film position (out, y) and a depth."""
    return ellipsoid(side.chest.beam, side.point(*place), radii)


def _merge_nodes(*parts: Float32) -> Float32:
    """Merge bodies into one with a slightly rounded, lobulated outline."""
    total = np.zeros_like(parts[0])
    for part in parts:
        squared = part * part
        total += squared * squared
    return np.asarray(np.sqrt(np.sqrt(total)))


def _mediastinal(side: LungView, severity: float, random: np.random.Generator) -> list[Float32]:
    """Return a chain of nodes that widens the right paratracheal stripe or fills the aortopulmonary window."""
    z, (out, hilum) = side.chest.marks.carina[2], side.hilum
    heights = (-2.0, -3.4, -4.7) if side.sign < 0 else (-1.0,)
    chain = []
    for above in heights[: 2 + round(severity)]:
        y, radius = hilum + above, (0.7 + 0.8 * severity) * random.uniform(0.85, 1.15)
        chain.append(_node(side, (out - 1.9 + 0.4 * radius, y, z), (radius, 1.25 * radius, 1.2 * radius)))
    return chain


HILA = {"Adenopathy": DrawnFinding(adenopathy), "Vascular Hilar Enlargement": DrawnFinding(vascular_hilar_enlargement)}
