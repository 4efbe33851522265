"""Broken ribs and clavicles: where they are broken and how far the outer fragment stands off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CLAVICLE = 0  # as a Break's bone; ribs are 1 to 10
_RETURN = 2.6  # cm along the bone over which the outer fragment comes back to its course
_CLEFT = 0.06  # cm between the fragments


@dataclass(frozen=True, slots=True)
class Break:
    """A break of one bone at a share of its course; `step` cm is how far the outer fragment stands off, across it."""

    side: str
    bone: int
    share: float
    step: float


def broken(course: NDArray[np.float64], breaks: Sequence[Break], side: str, bone: int) -> NDArray[np.float64]:
    """The course (n, 3) of this bone with its breaks: as many points, two of them drawn together at the break."""
    for each in breaks:
        if (each.side, each.bone) == (side, bone):
            course = _stepped(course, each)
    return course


def _stepped(course: NDArray[np.float64], each: Break) -> NDArray[np.float64]:
    pick, middle, direction = broken_at(course, each)
    moved = course.copy()
    moved[pick - 1], moved[pick] = middle - _CLEFT / 2 * direction, middle + _CLEFT / 2 * direction
    outer = moved[pick:]
    far = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(outer, axis=0), axis=1))]
    across = np.array([-direction[1], direction[0], 0.0])
    moved[pick:] += np.exp(-((far / _RETURN) ** 2))[:, None] * each.step * across
    return moved


def broken_at(course: NDArray[np.float64], each: Break) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """The number of the first point beyond the break, the place (3,) of the break and the bone's direction (3,)."""
    at = float(np.clip(each.share, 0, 1)) * (len(course) - 1)
    pick = int(np.clip(np.ceil(at), 2, len(course) - 3))
    part = float(np.clip(at - (pick - 1), 0, 1))
    along = course[pick + 1] - course[pick - 2]
    return pick, (1 - part) * course[pick - 1] + part * course[pick], along / np.linalg.norm(along)
