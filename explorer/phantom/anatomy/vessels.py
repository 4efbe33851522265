"""The vessels of the lungs: pulmonary arteries and veins from the hila to the periphery."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.anatomy.cage import depth, half_width
from explorer.phantom.anatomy.diaphragm import domes
from explorer.phantom.anatomy.form import Form
from explorer.phantom.anatomy.heart import carina_of, frame
from explorer.phantom.anatomy.lines import rounded
from explorer.phantom.anatomy.tree import Tree, grow
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.chest import Points
from explorer.phantom.draws import draws
from explorer.phantom.shapes import ellipsoid, field, tubes

_ENDS = {"artery": 240, "vein": 120}  # points that a tree reaches
_VEIN = 0.75  # radius of the veins' trunk over the artery's
_DOT = 2.6  # longest path through a vessel seen end on, over its width
_BUNDLE = np.float32(1.5)  # a vessel with its sheath and the bronchus beside it, over the vessel
_HILUM = 1.2  # cm of fat, nodes and bronchial walls in the middle of a hilum
_SIDES = (("right", -1.0), ("left", 1.0))


def hila(form: Form) -> dict[str, tuple[float, float, float]]:
    """The middle of each hilum; the left one is higher, its artery rides over the bronchus."""
    x, y, _ = carina_of(form)
    k = min(1.0, form.half_width / 13.3)  # a large heart leaves the hila in place
    return {"right": (x - 3.9 - 0.7 * k, y + 3.2, -0.5), "left": (x + 3.3 + 0.7 * k, y + 2.3, -1.5)}


def vessels(form: Form, beam: Beam) -> tuple[Floats, dict[str, list[Points]]]:
    """Path (size, size) through the lungs' vessels and the branches of the arteries (2, 3) from hilum outwards."""
    arteries, veins = {}, {}
    for side, sign in _SIDES:
        radius = float(getattr(form, f"hilum_{side}"))
        arteries[side] = grow(_artery(form, side, sign), _cloud(form, beam, side, sign, "artery"), radius)
        veins[side] = grow(_vein(form, side, sign), _cloud(form, beam, side, sign, "vein"), _VEIN * radius)
    path = _painted(beam, arteries) + _painted(beam, veins) + _tissue(form, beam)
    return _BUNDLE * path, {side: list(np.stack([tree.starts, tree.ends], 1)) for side, tree in arteries.items()}


def _painted(beam: Beam, trees: dict[str, Tree]) -> Floats:
    parts = zip(*(tree.pieces() for tree in trees.values()), strict=True)
    starts, ends, radii = (np.concatenate(part) for part in parts)
    return tubes(beam, starts, ends, radii, depth=_foreshortened(ends - starts, radii))


def _foreshortened(way: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much longer (n, 2) the path through a vessel is that runs along the ray: seen end on it is a bright dot."""
    long, seen = np.sqrt((way**2).sum(1)), np.hypot(way[:, 0], way[:, 1])
    end_on, fits = (long / seen.clip(1e-3))[:, None], (long[:, None] / (2 * radii)).clip(1, _DOT)
    return np.asarray(np.minimum(end_on, fits))


def _tissue(form: Form, beam: Beam) -> Floats:
    """Path (size, size) through what else is in the hila."""
    path = np.zeros((beam.size, beam.size), np.float32)
    for side, sign in _SIDES:
        x, y, z = hila(form)[side]
        path += ellipsoid(beam, (x - 0.2 * sign, y + 1.2, z), (2.3, 4.2, 0.5), -0.12 * sign) ** np.float32(1.7)
    clumps = field(draws(beam.patient.seed, "hila", beam.patient.center), beam, 0.45)
    return np.asarray(_HILUM * path * (1 + 0.45 * clumps).clip(0), np.float32)


def _artery(form: Form, side: str, sign: float) -> Points:
    """The pulmonary artery from the mediastinum down into the lower lobe."""
    x, y, z = hila(form)[side]
    return rounded([
        (x - sign * 2.6, y - 0.5, z + 1), (x - sign * 1.1, y - 0.3, z), (x - sign * 0.1, y + 0.6, z),
        (x + sign * 0.35, y + 2.4, z - 0.8), (x + sign * 0.7, y + 4.8, z - 1.8),
    ])  # fmt: skip


def _vein(form: Form, side: str, sign: float) -> Points:
    """The pulmonary veins' way from the left atrium, below and before the artery."""
    x, y, z = hila(form)[side]
    return np.array([
        (x - sign * 2.4, y + 3.8, z - 0.5), (x - sign * 1.3, y + 3.0, z), (x - sign * 0.4, y + 1.6, z + 1.2),
        (x + sign * 0.2, y - 0.2, z + 2.0),
    ])  # fmt: skip


def _cloud(form: Form, beam: Beam, side: str, sign: float, kind: str) -> NDArray[np.float64]:
    """Points (n, 3) spread over a lung, more of them below, where most blood flows in upright patients."""
    random = draws(beam.patient.seed, "vessels", beam.patient.center, side, kind)
    u, v, w, keep = random.uniform(0, 1, (4, 3 * _ENDS[kind]))
    dome = domes(form, beam)[side]
    floor = np.interp(u, np.abs(dome[:, 0]) / form.half_width, dome[:, 1])
    y = form.apex + 1.0 + v**0.78 * (floor + 2.5 - form.apex)
    wall = half_width(form, y)
    x = u * (wall - 0.7)
    z = (2 * w - 1) * (depth(form, y) * np.sqrt((1 - (x / wall) ** 2.5).clip(0)) / 2 - 0.5)
    f = frame(form)
    border = 0.85 * (f.left if sign > 0 else -f.right) * np.sqrt(((y - f.base) / (f.bottom - f.base)).clip(0, 1))
    heart = (y > f.base) & (z > -3) & (x < border)
    liver = (z > -2) & (y > floor)
    inside = (x > 2.2) & ~heart & ~liver & (keep < 0.75 + 0.01 * (y - form.apex))
    return np.asarray(np.stack([sign * x, y, z], 1)[inside][: _ENDS[kind]])
