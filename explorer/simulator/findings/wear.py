"""Draw spinal degeneration: osteophytes, sclerotic end plates and narrowed disks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.vertebra import body_half_width
from explorer.simulator.chest import Chest
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step
from models.array_types import Bools, Float32

_REACH = 3.0, 4.6  # cm along and across the spine that a degenerated disk changes, at most
_FIRST, _LAST = 3, 9  # disks below T4 to T10, where the thoracic spine degenerates most
_LEFT = 0.2, 0.3  # probability of osteophytes on the left, where aortic pulsation inhibits them; higher when obvious


@dataclass(frozen=True, slots=True)
class _Osteophyte:
    """An osteophyte. Sides are -1 for right and 1 for left; above or below the disk."""

    side: float
    way: float
    size: float  # cm it projects
    tip: float  # cm from the center of the disk to its tip
    root: float  # cm of the body's side it rises from
    hollow: float  # 1: straight; more: a slender claw; less: a blunt knob


def degeneration(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw osteophytes that bridge toward each other across the disk, and sclerotic end plates.

    Mostly on the right side of the lower chest, on adjacent levels.
    """
    severity = float(request.severity or 0)
    count = int(np.clip(round(2.2 + 3.6 * severity + random.uniform(-0.4, 0.4)), 2, _LAST - _FIRST + 1))
    first = int(random.integers(_FIRST, _LAST - count + 2))
    bodies = chest.marks.vertebrae
    heavy = 1 + 0.4 * severity * float(np.clip(chest.beam.patient.habitus, 0, 1.5))  # load adds wear
    added = np.zeros_like(chest.bone)
    for level in range(first, first + count):
        _degenerate_disk(chest, added, bodies[level : level + 2], severity * float(random.uniform(0.75, 1.1)), random)
    chest.bone += np.float32(heavy) * added
    return np.asarray(added > 0.12 + 0.1 * severity)


def _degenerate_disk(
    chest: Chest, added: Float32, pair: NDArray[np.float64], worn: float, random: np.random.Generator
) -> None:
    """Add the degeneration of one disk between the `pair` of bodies (2, 3) to the path `added`."""
    middle, axis = pair.mean(0), pair[1] - pair[0]
    height = float(np.hypot(axis[0], axis[1]))
    x, y = chest.beam.at(float(middle[2]))
    rows = np.flatnonzero(np.abs(y[:, 0] - middle[1]) < _REACH[0] / 2)
    columns = np.flatnonzero(np.abs(x[0] - middle[0]) < _REACH[1])
    beaks, hard = _osteophytes(height, worn, random), random.uniform(0.45, 1.2)
    lopsided, tilt = float(random.normal(-0.2, 0.4)), float(random.normal(0, 0.05))
    if not len(rows) or not len(columns):
        return
    part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    dx, dy = x[:, part[1]] - np.float32(middle[0]), y[part[0]] - np.float32(middle[1])
    along, across = axis[1] / height, axis[0] / height
    v, u = dx * np.float32(along) - dy * np.float32(across), dy * np.float32(along) + dx * np.float32(across)
    half = float(body_half_width(height))
    film = np.zeros(v.shape, np.float32)
    for beak in beaks:
        np.maximum(film, _osteophyte_path(v, u, half, beak), out=film)
    inside = smooth_step(half + 0.1 - np.abs(v), 0, 0.35) * (1 + np.float32(lopsided) * v / np.float32(half)).clip(0)
    gap = np.abs(np.abs(u + np.float32(tilt) * v) - np.float32(0.3 - 0.1 * worn))
    plates = np.exp(-((gap / 0.17) ** 2)) + 0.5 * np.exp(-gap / 0.35) * smooth_step(np.abs(u), 0.05, 0.3)
    clear = 1 - 0.4 * smooth_step(y[part[0]], chest.form.dome_right - 1, chest.form.dome_right + 2)  # hidden by scatter
    added[part] += clear * ((1.9 + 0.95 * worn) * film + (0.42 + 0.65 * worn) * np.float32(hard) * plates * inside)


def _osteophytes(height: float, worn: float, random: np.random.Generator) -> list[_Osteophyte]:
    beaks = []
    for side, chance in ((-1.0, 0.95), (1.0, _LEFT[0] + _LEFT[1] * worn)):
        some, large = random.uniform() < chance, float(random.uniform(0.6, 1.4)) * (1.0 if side < 0 else 0.7)
        bridged = random.uniform() < 1.1 * worn - 0.4
        for way in (-1.0, 1.0):
            size = (0.5 + 0.6 * worn) * large * float(random.uniform(0.55, 1.25))
            tip = -0.05 if bridged else float(random.uniform(0.06, 0.2))
            hollow = float(random.uniform(0.4, 0.75) if bridged else random.uniform(0.35, 2.2))
            root = height * float(random.uniform(0.22, 0.6))
            if some and (bridged or random.uniform() < 0.9):
                beaks.append(_Osteophyte(side, way, size, tip, root, hollow))
    return beaks


def _osteophyte_path(v: Float32, u: Float32, half: float, beak: _Osteophyte) -> Float32:
    """Return the fraction of the full path through an osteophyte: a claw from the body's side that hooks toward the
    disk.
    """
    out = beak.side * v - np.float32(half - 0.35)
    high = beak.way * u - np.float32(beak.tip)
    t = (high / np.float32(beak.root)).clip(0, 1)
    edge = (
        np.float32(0.35 + beak.size) * (1 - t) ** np.float32(beak.hollow) * (0.6 + 0.4 * smooth_step(high, -0.1, 0.28))
    )
    hook = high + np.float32(0.1) - np.float32(0.2) * (out / np.float32(0.35 + beak.size)).clip(0, 1) ** 2
    body = smooth_step(edge - out, -0.12, 0.16) * smooth_step(hook, -0.12, 0.16)
    shell = np.exp(-(((edge - out - 0.12) / 0.14) ** 2))
    return np.asarray(body * (0.75 + 0.25 * shell) * smooth_step(out, 0, 0.5), np.float32)
