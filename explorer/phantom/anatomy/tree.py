"""Branching vessels that reach given points and taper on the way.

A tree joins points to a trunk, each to the nearer point that costs least wire, turn and detour (after Cuntz et al.
2010, "One rule to grow them all", PLoS Comput Biol 6:e1000877); radii follow Murray's law.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.phantom.chest import Points

Doubles = NDArray[np.float64]
_TURN = 0.7  # how much a way that turns back weighs against wire
_DETOUR = 0.55  # the same for a way that starts far from the trunk's middle
_THIN = 0.075  # cm, radius of the last twigs that are drawn
_END = 0.62  # radius of the trunk's end over its beginning
_PIECES = 3  # straight pieces that a branch is bent from


@dataclass(frozen=True, slots=True)
class Tree:
    """Branches from parent to child."""

    starts: Doubles  # (n, 3)
    ends: Doubles  # (n, 3)
    radii: Doubles  # (n, 2) at start and end
    before: Doubles  # (n, 3) unit direction in which the start is reached

    def pieces(self) -> tuple[Doubles, Doubles, Doubles]:
        """Starts and ends (m, 3) and radii (m, 2) of straight pieces; a branch leaves in its parent's direction."""
        way = self.ends - self.starts
        lean = 0.35 * _length(way) * self.before
        t = np.linspace(0, 1, _PIECES + 1)[None, :, None]
        bezier = self.starts[:, None] + 2 * t * (1 - t) * lean[:, None] + t**2 * way[:, None]
        r = self.radii[:, :1] + t[:, :, 0] * (self.radii[:, 1:] - self.radii[:, :1])
        ends = np.stack([r[:, :-1], r[:, 1:]], 2)
        return bezier[:, :-1].reshape(-1, 3), bezier[:, 1:].reshape(-1, 3), ends.reshape(-1, 2)


def grow(trunk: Points, points: Doubles, radius: float) -> Tree:
    """The tree from the trunk's start, which has this radius, along the trunk (m, 3) and to every point (n, 3)."""
    middle, count = trunk[len(trunk) // 2], len(trunk)
    nodes = np.concatenate([trunk, points[np.argsort(((points - middle) ** 2).sum(1))]])
    outward = nodes - middle
    far = _length(outward)[:, 0]
    far[:count] = 0.5 * np.concatenate([[0], _length(np.diff(trunk, axis=0))[:, 0].cumsum()])
    outward /= _length(outward)
    square = (nodes**2).sum(1)
    apart = np.sqrt((square[:, None] + square[None] - 2 * nodes @ nodes.T).clip(0))
    onward = nodes @ outward.T - (nodes * outward).sum(1)[None]  # of the way, what leads on
    cost = apart + _TURN * (apart - onward) + _DETOUR * far[None]
    parent = np.where(np.tri(len(nodes), k=-1, dtype=bool), cost, np.inf)[1:].argmin(1)
    parent[: count - 1] = np.arange(count - 1)
    return _sized(_straightened(nodes, parent, count), parent, radius, count)


def _straightened(nodes: Doubles, parent: NDArray[np.intp], trunk: int) -> Doubles:
    """Branching points pulled between their neighbors, so that vessels run as smooth lines."""
    children = np.bincount(parent, minlength=len(nodes))[:, None]
    free = (children > 0) & (np.arange(len(nodes)) >= trunk)[:, None]
    for _ in range(3):
        below = np.zeros_like(nodes)
        np.add.at(below, parent, nodes[1:])
        above = np.concatenate([nodes[:1], nodes[parent]])
        nodes = np.where(free, 0.4 * nodes + 0.3 * above + 0.3 * below / children.clip(1), nodes)
    return nodes


def _sized(nodes: Doubles, parent: NDArray[np.intp], radius: float, trunk: int) -> Tree:
    """Radii by Murray's law, with the exponent that makes the root as wide as it is; the trunk tapers evenly."""
    leaves = np.ones(len(nodes))
    for child in range(len(nodes) - 1, 0, -1):
        leaves[parent[child - 1]] += leaves[child]
    r = _THIN * leaves ** (np.log(radius / _THIN) / np.log(leaves[0]))
    r[:trunk] = np.maximum(r[:trunk], radius * np.linspace(1, _END, trunk))
    starts, ends = nodes[parent], nodes[1:]
    unit = (ends - starts) / _length(ends - starts)
    before = np.where((parent > 0)[:, None], unit[parent - 1], unit)
    return Tree(starts, ends, np.stack([np.minimum(r[parent], 1.3 * r[1:]), r[1:]], 1), before)


def _length(way: Doubles) -> Doubles:
    """(n, 1), never 0."""
    return np.asarray(np.sqrt((way**2).sum(1, keepdims=True)).clip(1e-6))
