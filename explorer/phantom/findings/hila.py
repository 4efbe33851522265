"""Large hila: lymph nodes and pulmonary arteries."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter1d

from explorer.phantom.beam import Floats
from explorer.phantom.chest import Bools, Chest
from explorer.phantom.findings.change import put, shown
from explorer.phantom.findings.finding import Finding
from explorer.phantom.findings.side import Side, sides
from explorer.phantom.request import Request
from explorer.phantom.scale import blurred
from explorer.phantom.shapes import curve, ellipsoid

_STACKED = np.float32(1.45)  # nodes lie before and behind each other
_DEEP = np.float32(2.0)  # of an artery's path: veins and branches widen before and behind it
_SOFT = 0.07  # cm, blur of borders that move with the heart


def adenopathy(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Lobulated nodes that make one body with the hilum, and beside the trachea or in the aortopulmonary window."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    for side in sides(chest, request):
        out, y = side.hilum
        z = chest.marks.hila[side.name][2]
        size = 0.75 + 0.7 * severity
        edge = out - 1.7  # the mediastinum's border
        nodes = [_node(side, (edge, y + 0.5, z), (0.5 * (out - edge) + 0.9 * size, 1.7 * size, size))]
        for _ in range(int(3 + 4 * severity)):
            radius = size * random.uniform(0.7, 1.1)
            down = random.normal(0.6, 0.7 + 0.6 * severity)
            far = edge + random.uniform(0.1, 1.0) * (out - edge + 0.7 * size - 0.25 * abs(down))
            nodes.append(_node(side, (far, y + down, z), (radius, radius * random.uniform(0.9, 1.4), radius)))
        if random.uniform() < 0.25 + 0.6 * severity:
            nodes += _mediastinal(side, severity, random)
        put(chest, blurred(_STACKED * _joined(*nodes), _SOFT / chest.beam.pixel))
    return shown(chest, before)


def _node(side: Side, place: tuple[float, float, float], radii: tuple[float, float, float]) -> Floats:
    """A node at a film place out, y and a depth."""
    return ellipsoid(side.chest.beam, side.point(*place), radii)


def _joined(*parts: Floats) -> Floats:
    """Bodies as one, a little rounded where they meet: a lobulated outline."""
    total = np.zeros_like(parts[0])
    for part in parts:
        squared = part * part
        total += squared * squared
    return np.asarray(np.sqrt(np.sqrt(total)))


def _mediastinal(side: Side, severity: float, random: np.random.Generator) -> list[Floats]:
    """A chain of nodes that thickens the right paratracheal stripe, or fills the aortopulmonary window."""
    z, (out, hilum) = side.chest.marks.carina[2], side.hilum
    heights = (-2.0, -3.4, -4.7) if side.sign < 0 else (-1.0,)
    chain = []
    for above in heights[: 2 + round(severity)]:
        y, radius = hilum + above, (0.7 + 0.8 * severity) * random.uniform(0.85, 1.15)
        chain.append(_node(side, (out - 1.9 + 0.4 * radius, y, z), (radius, 1.25 * radius, 1.2 * radius)))
    return chain


def vascular_hilar_enlargement(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Wide central pulmonary arteries, smooth and convex, that end soon; on the left the pulmonary trunk bulges too.

    The right interlobar artery is wide from 16 mm on (Chang 1962, Am J Roentgenol 87:929).
    """
    before, severity = chest.attenuation(), float(request.severity or 0)
    for side in sides(chest, request):
        wide = (0.82 + 0.68 * severity) * float(random.uniform(0.95, 1.06))
        parts = [_artery(side, wide), *_lobes(side, wide, random)]
        if side.sign > 0:
            parts.append(_trunk(side, severity))
        body = blurred(_DEEP * np.float32(0.6 + 0.4 * severity) * _joined(*parts), _SOFT / chest.beam.pixel)
        added = (body - 0.5 * chest.vessels).clip(0)  # part of them is that artery
        chest.vessels += np.minimum(added, chest.lung)
    return shown(chest, before)


def _artery(side: Side, wide: float) -> Floats:
    """The pulmonary artery out of the mediastinum and down into the lower lobe, like a comma that soon tapers."""
    rise = (-0.2 if side.sign < 0 else -0.9) + 0.3 * wide
    knots = [(-2.4, rise + 0.1, 1), (-0.7, rise, 0), (0.2, 0.9, 0), (0.5, 2.4, -0.8), (0.8, 4.0, -1.6), (1.4, 6.0, -2)]
    knots += [(2.3, 8.2, -2.4)]
    return _tapered(
        side,
        knots,
        [0.55 * wide, 0.75 * wide, 0.85 * wide, 0.75 * wide, 0.5 * wide, 0.26 * wide, 0.06],
        0.6 * (wide - 0.8),
    )


def _lobes(side: Side, wide: float, random: np.random.Generator) -> list[Floats]:
    """Its branches to the lobes, fanning out from the hilum, wide at first and soon thin."""
    paths = []
    for angle, low in ((-1.3, -0.3), (-0.75, 0.2), (-0.05, 0.9), (0.45, 2.2), (0.95, 3.6)):
        turn, length = angle + float(random.normal(0, 0.1)), float(random.uniform(3.6, 6.0))
        way = np.array([np.cos(turn), np.sin(turn)])
        bow = float(random.normal(0.2, 0.12)) * np.array([-way[1], way[0]])
        knots = [(0.3, low, 0.0)]
        knots += [(0.3 + x, low + y, 0.0) for x, y in (0.5 * length * way + bow, length * way)]
        paths.append(_tapered(side, knots, [0.42 * wide, 0.3 * wide, 0.06], 0.6 * (wide - 0.8)))
    return paths


def _tapered(side: Side, knots: list[tuple[float, float, float]], radii: list[float], outward: float) -> Floats:
    """Path (size, size) through a bent tube; knots as cm outwards, down and forwards of the hilum."""
    x, y, z = side.chest.marks.hila[side.name]
    fine, at = np.linspace(0, len(knots) - 1, 8 * len(knots)), np.arange(len(knots))
    line = np.stack([np.interp(fine, at, column) for column in np.array(knots).T], 1)
    line = gaussian_filter1d(line, 3.0, axis=0, mode="nearest")
    line = (line + (outward, 0.0, 0.0)) * (float(side.sign), 1.0, 1.0) + (x, y, z)
    return curve(side.chest.beam, line, np.interp(fine, at, radii))


def _trunk(side: Side, severity: float) -> Floats:
    """The pulmonary trunk's arch on the left border, between aortic knob and left atrium."""
    y = side.hilum[1] + 0.6
    radius = 1.1 + 0.9 * severity
    place = side.point(side.hilum[0] - 1.0 - 0.75 * radius + 0.9 * severity, y, 2.0)
    return ellipsoid(side.chest.beam, place, (radius, 1.5 * radius, radius), -0.2)


HILA = {"Adenopathy": Finding(adenopathy), "Vascular Hilar Enlargement": Finding(vascular_hilar_enlargement)}
