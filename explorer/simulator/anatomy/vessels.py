"""Draw the pulmonary arteries and veins from the hila to the periphery."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.endon import end_on
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.heart import carina_position
from explorer.simulator.anatomy.supply import supplied_points
from explorer.simulator.anatomy.tree import Tree, grow_tree
from explorer.simulator.anatomy.trunks import ARTERIES, VEINS, Point3D, Trunk
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import ellipsoid, noise_field, tubes
from models.array_types import Float32

_KINDS = ((ARTERIES, 140), (VEINS, 80))  # kinds of vessel, with the number of points they supply per lung
_THIN = 0.058  # cm, radius of the last branches drawn
_DOT = 1.7  # longest path through a vessel seen end on, relative to its width
_STRAYS = 0.55  # minimum cosine of the turn of a terminal branch; sharper turns would cross others and are left out
_BACKWARDS = 40.0  # square cm added to a point's distance per unit of `_turn_needed`
_BUNDLE = np.float32(1.75)  # a vessel with its sheath and accompanying bronchus, relative to the vessel alone
_HILUM = 1.0  # cm of fat, nodes and bronchial walls at the hilar center
_SIDES = (("right", -1.0), ("left", 1.0))
Pieces = tuple[Points, Points, Points]  # starts (n, 3), ends (n, 3), radii (n, 2)


def hilum_centers(form: Form) -> dict[str, Point3D]:
    """Return the center of each hilum; the left is higher, as its artery arches over the bronchus."""
    x, y, _ = carina_position(form)
    k = min(1.0, form.half_width / 13.3)  # an enlarged heart does not move the hila
    return {"right": (x - 3.9 - 0.7 * k, y + 3.2, -0.5), "left": (x + 3.3 + 0.7 * k, y + 2.3, -1.5)}


def vessels(form: Form, beam: Beam) -> tuple[Float32, dict[str, list[Points]]]:
    """Return the path (size, size) through the lung vessels, and arterial branches (2, 3) from the hilum outward."""
    roots: list[_Root] = []
    for side, sign in _SIDES:
        points = supplied_points(form, beam, side, sign, sum(count for _, count in _KINDS))
        for trunks, count in _KINDS:
            roots += _roots(form, side, sign, trunks[side], points[:count])
            points = points[count:]
    tree, radii = _branches(roots, draws(beam.patient.seed, "branches", beam.patient.anatomy))
    path, branches = _hilar_tissue(form, beam), {}
    arterial = np.array([root.arterial for root in roots])[tree.root]
    way = tree.ends - tree.starts
    onward = (way * tree.before).sum(1) > _STRAYS * np.sqrt((way**2).sum(1))
    drawn = onward | (tree.leaves > 1)
    for kind in (True, False):
        parts = [root.pieces for root in roots if root.arterial == kind] + [
            tree.pieces(radii, drawn & (arterial == kind))
        ]
        starts, ends, wide = (np.concatenate(part) for part in zip(*parts, strict=True))
        path += tubes(beam, starts, ends, wide, depth=_path_stretch(ends - starts, wide))
    seen = [end_on(beam, hilum_centers(form)[side], side, sign) for side, sign in _SIDES]
    starts, ends, wide, deep = (np.concatenate(part) for part in zip(*seen, strict=True))
    path += tubes(beam, starts, ends, wide, depth=deep)
    for side, sign in _SIDES:
        here = arterial & (sign * tree.starts[:, 0] > 0)
        branches[side] = list(np.stack([tree.starts[here], tree.ends[here]], 1))
    return _BUNDLE * path, branches


@dataclass(frozen=True, slots=True)
class _Root:
    """A hilar trunk in position and the points it supplies."""

    arterial: bool
    pieces: Pieces
    points: Points


def _roots(form: Form, side: str, sign: float, trunks: tuple[Trunk, ...], points: Points) -> list[_Root]:
    """Return the trunks of a hilum, each with the points (n, 3) nearest to the center of its region."""
    tall, wide = form.dome_right - form.apex, sign * form.half_width
    middles = np.array([(wide * x, form.apex + y * tall, z) for x, y, z in (trunk.region for trunk in trunks)])
    lines = [trunk.line(hilum_centers(form)[side], sign) for trunk in trunks]
    back = np.stack([_turn_needed(line, points) for line in lines], 1)
    nearest = (((points[:, None] - middles) ** 2).sum(2) + _BACKWARDS * back).argmin(1)
    roots = []
    for number, (trunk, line) in enumerate(zip(trunks, lines, strict=True)):
        r = float(getattr(form, f"hilum_{side}")) * np.linspace(*trunk.radii, len(line))
        pieces = (line[:-1], line[1:], np.stack([r[:-1], r[1:]], 1))
        roots.append(_Root(trunks is ARTERIES[side], pieces, points[nearest == number]))
    return roots


def _turn_needed(line: Points, points: Points) -> NDArray[np.float64]:
    """Return how far (n,) a vessel must turn at its end to reach points (n, 3): 0 is straight on, 2 is back."""
    on, way = line[-1] - line[-2], points - line[-1]
    return np.asarray(1 - (way @ on) / np.sqrt((way**2).sum(1) * (on @ on)).clip(1e-6))


def _branches(roots: list[_Root], random: np.random.Generator) -> tuple[Tree, NDArray[np.float64]]:
    """Return the branches grown from the trunks, with their radii (n, 2) at start and end."""
    starts, ends, radii = (
        np.array([each[-1] for each in part]) for part in zip(*(each.pieces for each in roots), strict=True)
    )
    count = np.array([len(each.points) for each in roots])
    ways = (ends - starts) / np.sqrt(((ends - starts) ** 2).sum(1))[:, None]
    tree = grow_tree(
        ends, ways, np.concatenate([root.points for root in roots]), np.arange(len(roots)).repeat(count), random
    )
    power = np.log(radii[:, 1] / _THIN) / np.log(count.clip(2))  # Murray's law, fitted to the trunk's end
    own, above = (_THIN * leaves ** power[tree.root] for leaves in (tree.leaves, tree.above))
    fade = np.where(tree.leaves > 1, 0.87, 0.35)  # terminal branches taper out of sight
    return tree, np.stack([np.minimum(above, 1.3 * own), fade * own], 1)


def _path_stretch(way: NDArray[np.float64], radii: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how much longer (n, 2) the path is through a vessel running along the ray; end on it is a bright dot."""
    long, seen = np.sqrt((way**2).sum(1)), np.hypot(way[:, 0], way[:, 1])
    end_on, fits = (long / seen.clip(1e-3))[:, None], (long[:, None] / (2 * radii)).clip(1, _DOT)
    return np.asarray(np.minimum(end_on, fits))


def _hilar_tissue(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through hilar tissue other than vessels."""
    path = np.zeros((beam.size, beam.size), np.float32)
    for side, sign in _SIDES:
        x, y, z = hilum_centers(form)[side]
        path += ellipsoid(beam, (x - 0.2 * sign, y + 1.2, z), (2.3, 4.2, 0.5), -0.12 * sign) ** np.float32(1.7)
    clumps = noise_field(draws(beam.patient.seed, "hila", beam.patient.anatomy), beam, 0.45)
    return np.asarray(_HILUM * path * (1 + 0.22 * clumps).clip(0), np.float32)
