"""The domes of the diaphragm, and the gas below them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.form import Form
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import ellipsoid, smooth_step
from models.array_types import Float32

_PEAK = 0.42  # x of a dome's top, as a share of the half width
_AHEAD, _BEHIND = 7.0, 5.0  # cm of dome on a ray 1 cm below its top; posteriorly, the lung reaches further down
_SOFT = 0.18  # cm over which the edge rises, because the dome is round along the ray and moves
_HUMPS = 0.4  # share of domes with a hump, where muscle bulges between its slips
_SIDES = (("right", -1.0), ("left", 1.0))


def below_diaphragm(form: Form, beam: Beam, cavity: Float32) -> Float32:
    """Return the path (size, size) through everything below the diaphragm and inside the ribs.

    The lung reaches further down behind the domes than in front of them, so the path increases with depth below the
    top, and lung is visible through the liver.
    """
    x, y = beam.at(0)
    left = smooth_step(x, -3.5, 3.5)
    edge = (1 - left) * _edge(form, beam, "right", -x) + left * _edge(form, beam, "left", x)
    return below_dome(y - edge, cavity, _softness(beam, x))


def below_dome(deep: Float32, cavity: Float32, soft: Float32 | float = _SOFT) -> Float32:
    """Return the path (size, size) below a dome, `deep` cm under its upper edge, which is blurred over `soft` cm."""
    half = cavity / 2
    deep = deep.clip(0)
    chord = np.sqrt(deep) * (deep / (deep + np.float32(soft) if isinstance(soft, float) else deep + soft))
    ahead = (half - 1.5).clip(0.3 * half)
    return np.asarray(np.minimum(_AHEAD * chord, ahead) + np.minimum(_BEHIND * chord, cavity - ahead), np.float32)


def _softness(beam: Beam, x: Float32) -> Float32:
    """Return the distance (cm) over which the edge rises, by position across the chest; rays only partly follow it."""
    beat, phase = draws(beam.patient.seed, "dome edge", beam.patient.anatomy).uniform((0.5, 0), (0.9, 6.3))
    return np.asarray(_SOFT * (1 + np.float32(0.7) * np.sin(x * np.float32(beat) + np.float32(phase))), np.float32)


def domes(form: Form, beam: Beam) -> dict[str, Points]:
    """Return points along each dome's upper edge, from the middle to the side wall."""
    across = np.linspace(0.05, 1, 32) * form.half_width
    return {side: np.stack([sign * across, _edge(form, beam, side, across), np.zeros(32)], 1) for side, sign in _SIDES}


def _edge(form: Form, beam: Beam, side: str, across: NDArray[np.floating]) -> NDArray[np.floating]:
    """Return y of the dome at distances from the midline."""
    random = draws(beam.patient.seed, "dome", beam.patient.anatomy, side)
    peak = _PEAK * form.half_width + float(random.normal(0, 0.8))
    outer = (across - peak) / (form.half_width - peak)
    inner = (peak - across) / peak
    wave = 0.12 * np.sin(across * float(random.uniform(0.5, 0.9)) + float(random.uniform(0, 6)))
    lump, place, broad, high = random.uniform((0, 0.15, 1.7, 0.2), (1, 0.75, 3.0, 0.6))
    if lump < _HUMPS:
        wave = wave - high * np.exp(-(((across - place * form.half_width) / broad) ** 2))
    top = form.dome_right if side == "right" else form.dome_left
    fall = form.dome_curve * (0.45 * outer.clip(0) ** 2 + 0.55 * outer.clip(0) ** 3.4)
    return np.asarray(top + fall + (1.3 if side == "right" else 0.7) * inner.clip(0) ** 2 + wave)


def bowel_gas(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through gas in stomach and bowel; upright patients have a fluid level."""
    random = draws(beam.patient.seed, "gas", beam.patient.anatomy)
    x, y = 0.52 * form.half_width + float(random.normal(0, 0.8)), form.dome_left
    h, d = float(random.uniform(1.0, 2.2)), float(random.uniform(2.0, 4.5))
    w = h * float(random.uniform(1.3, 2.0))
    bubble = ellipsoid(beam, (x, y + h + 0.7, 2.0), (w, h, 0.5), float(random.normal(0, 0.25)))
    stomach = np.float32(d) * bubble * np.sqrt(bubble)
    level = y + 0.7 + h * float(random.uniform(1.0, 1.8))
    if not beam.patient.lying:
        stomach = stomach * (1 - smooth_step(beam.at(2.0)[1], level - 0.12, level + 0.12))
    bubbles = [
        _bubble(beam, random, (float(side * random.uniform(0.35, 0.85)) * form.half_width, top))
        for side, top, count in (
            (1, form.dome_left + 5.5, random.integers(0, 5)),
            (-1, form.dome_right + 7.5, random.integers(0, 3)),
        )
        for _ in range(int(count))
    ]
    return np.asarray(stomach + sum(bubbles, np.zeros_like(stomach)), np.float32)


def _bubble(beam: Beam, random: np.random.Generator, place: tuple[float, float]) -> Float32:
    """Return the path through bowel gas between folds."""
    w, h, deep = float(random.uniform(0.6, 1.4)), float(random.uniform(0.5, 0.9)), float(random.uniform(0.5, 1.6))
    x, y = place[0], place[1] + float(random.uniform(0, 5))
    lobes = [
        ellipsoid(beam, (x + i * 0.9 * w, y + float(rise), 4.0), (w, h, 0.5), float(turn))
        for i, (rise, turn) in enumerate(random.normal(0, (0.3, 0.6), (int(random.integers(1, 4)), 2)))
    ]
    path = np.maximum.reduce(lobes)
    return np.asarray(np.float32(deep) * path * np.sqrt(path), np.float32)
