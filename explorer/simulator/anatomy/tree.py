"""Grow branching vessels that divide a region of lung among themselves and taper.

Each branch grows toward the center of the points it supplies and passes half of them to each of its two daughters
(after Kitaoka et al. 1999, J Appl Physiol 87:2207, and Tawhai et al. 2000, Ann Biomed Eng 28:793, who grew airways
this way). Radii follow Murray's law. The halves lie side by side, so branches do not cross or form loops.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.array_types import Float64

IndexArray = NDArray[np.intp]
_REACH = (
    0.5,
    0.04,
    0.26,
)  # where a branch divides: start, decrease per doubling of points, minimum
_STIFF = 0.62  # how much a branch keeps its parent's direction; 0 is not at all
_LEAN = 0.3  # fraction of a branch's length over which it bends into its own direction
_UNEVEN = 0.45  # how uneven the two daughters' shares are, in standard deviations of the points
_PIECES = 3  # straight segments per branch
_GENERATIONS = 16  # maximum number of generations


@dataclass(frozen=True, slots=True)
class Tree:
    """Branches, each listed after its parent."""

    starts: Float64  # (n, 3)
    ends: Float64  # (n, 3)
    before: Float64  # (n, 3) unit direction of the parent at the branch's start
    leaves: Float64  # (n,) points the branch supplies
    above: Float64  # (n,) points its parent supplies; a first branch repeats its own
    root: IndexArray  # (n,) the root it comes from

    def pieces(self, radii: Float64, kept: NDArray[np.bool_]) -> tuple[Float64, Float64, Float64]:
        """Return the starts (m, 3), ends (m, 3) and radii (m, 2) of the straight segments of some branches.

        `kept` (n,) selects the branches, and `radii` (n, 2) are all branches' radii at start and end. A branch leaves
        in its parent's direction.
        """
        starts, way, radii = self.starts[kept], (self.ends - self.starts)[kept], radii[kept]
        lean = _LEAN * _length(way) * self.before[kept]
        t = np.linspace(0, 1, _PIECES + 1)[None, :, None]
        bezier = starts[:, None] + 2 * t * (1 - t) * lean[:, None] + t**2 * way[:, None]
        r = radii[:, :1] + t[:, :, 0] * (radii[:, 1:] - radii[:, :1])
        ends = np.stack([r[:, :-1], r[:, 1:]], 2)
        return bezier[:, :-1].reshape(-1, 3), bezier[:, 1:].reshape(-1, 3), ends.reshape(-1, 2)


def grow_tree(starts: Float64, ways: Float64, points: Float64, root: IndexArray, random: np.random.Generator) -> Tree:
    """Grow branches from the roots at `starts` (r, 3), in the directions `ways` (r, 3), to every point (n, 3).

    `root` (n,) says which root supplies each point. A root with no points grows no branches.
    """
    of, label = np.unique(root, return_inverse=True)
    starts, ways = starts[of], ways[of]
    above = np.bincount(label, minlength=len(starts)).astype(np.float64)
    grown: list[Tree] = []
    for _ in range(_GENERATIONS):
        leaves = np.bincount(label, minlength=len(starts)).astype(np.float64)
        middle = np.stack([np.bincount(label, points[:, axis], len(starts)) for axis in range(3)], 1) / leaves[:, None]
        way = middle - starts
        single = (leaves == 1)[:, None]
        aim = _unit_vector(_unit_vector(way) + np.where(single, 0, _STIFF) * ways)
        reach = (_REACH[0] - _REACH[1] * np.log2(leaves)).clip(_REACH[2])[:, None]
        ends = starts + aim * _length(way) * np.where(single, 1.0, reach)
        grown.append(Tree(starts, ends, ways, leaves, above, of))
        onward = _unit_vector(ends - starts - _LEAN * _length(ends - starts) * ways)
        live = leaves[label] > 1
        if not live.any():
            break
        points, label = points[live], label[live]
        label = 2 * label + _split_in_halves(points - middle[label], label, onward, random)
        parents, label = np.unique(label, return_inverse=True)
        parents //= 2
        starts, ways, above, of = ends[parents], onward[parents], leaves[parents], of[parents]
    fields = ("starts", "ends", "before", "leaves", "above", "root")
    return Tree(*(np.concatenate([getattr(tree, name) for tree in grown]) for name in fields))


def _split_in_halves(apart: Float64, label: IndexArray, along: Float64, random: np.random.Generator) -> IndexArray:
    """Assign each point (n,) to one half, 0 or 1, of its branch's points; `apart` (n, 3) is relative to their center.

    The plane between the halves contains the branch, and splits the points along their widest spread.
    """
    x, y, z = along.T
    flat = np.hypot(x, y).clip(1e-3)
    first = np.stack([-y / flat, x / flat, 0 * z], 1)
    second = np.stack([-z * x / flat, -z * y / flat, flat], 1)
    u, v = (apart * first[label]).sum(1), (apart * second[label]).sum(1)
    uu, vv, uv = (np.bincount(label, each, len(along)) for each in (u * u, v * v, u * v))
    turn = 0.5 * np.arctan2(2 * uv, uu - vv)
    across = u * np.cos(turn)[label] + v * np.sin(turn)[label]
    deviation = np.sqrt(np.bincount(label, across**2, len(along)) / np.bincount(label, minlength=len(along)).clip(1))
    return np.asarray(across > (deviation * _UNEVEN * random.uniform(-1, 1, len(along)))[label], np.intp)


def _length(way: Float64) -> Float64:
    """Return the length (n, 1) of each vector, never 0."""
    return np.asarray(np.sqrt((way**2).sum(1, keepdims=True)).clip(1e-6))


def _unit_vector(way: Float64) -> Float64:
    return np.asarray(way / _length(way))
