"""Fractures of ribs and clavicles: location, and displacement of the outer fragment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CLAVICLE = 0  # value of a Break's `bone`; ribs are 1 to 10
RETURN_LENGTHS = 2.3, 3.4  # cm along a rib or clavicle over which the outer fragment returns to its course


@dataclass(frozen=True, slots=True)
class Break:
    """A fracture of one bone at a fraction of its course.

    `step` and `gap` are the outer fragment's displacement (cm) across and along the bone; with a negative gap, the
    fragments overlap.
    """

    side: str
    bone: int
    share: float
    step: float
    gap: float = 0.06
    old: bool = False  # bridged by callus


def apply_breaks(course: NDArray[np.float64], breaks: Sequence[Break], side: str, bone: int) -> NDArray[np.float64]:
    """Return this bone's course (n, 3) with its fractures; each fracture moves points but adds none."""
    for each in breaks:
        if (each.side, each.bone) == (side, bone):
            course = _apply_break(course, each)
    return course


def _apply_break(course: NDArray[np.float64], each: Break) -> NDArray[np.float64]:
    pick, middle, direction = break_point(course, each)
    moved = course.copy()
    moved[pick - 1], moved[pick] = middle - each.gap / 2 * direction, middle + each.gap / 2 * direction
    outer = moved[pick:]
    far = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(outer, axis=0), axis=1))]
    across = np.array([-direction[1], direction[0], 0.0])
    moved[pick:] += np.exp(-((far / RETURN_LENGTHS[each.bone == CLAVICLE]) ** 2))[:, None] * each.step * across
    return moved


def bridging_segments(count: int, breaks: Sequence[Break], side: str, bone: int, every: int = 1) -> NDArray[np.bool_]:
    """Return which segments would bridge a fracture, for a course of `count` points sampled at every `every`th one."""
    points = np.arange(count)[::every]
    cut = np.zeros(len(points) - 1, bool)
    for each in breaks:
        if (each.side, each.bone) == (side, bone):
            pick = _index_beyond(count, each.share)
            cut |= (points[:-1] < pick) & (points[1:] >= pick)
    return cut


def break_point(course: NDArray[np.float64], each: Break) -> tuple[int, NDArray[np.float64], NDArray[np.float64]]:
    """Return the index of the first point beyond the fracture, its position (3,) and the bone's direction (3,)."""
    at = float(np.clip(each.share, 0, 1)) * (len(course) - 1)
    pick = _index_beyond(len(course), each.share)
    part = float(np.clip(at - (pick - 1), 0, 1))
    along = course[pick + 1] - course[pick - 2]
    return pick, (1 - part) * course[pick - 1] + part * course[pick], along / np.linalg.norm(along)


def _index_beyond(count: int, share: float) -> int:
    """Return the index of the first point beyond a fraction of a course with `count` points."""
    return int(np.clip(np.ceil(float(np.clip(share, 0, 1)) * (count - 1)), 2, count - 3))
