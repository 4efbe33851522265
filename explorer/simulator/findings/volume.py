"""Draw hyperinflation and underexpansion, which change the whole chest."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.simulator.anatomy.diaphragm import domes
from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step
from models.array_types import Bools, Float32

_BEHIND = np.float32(0.3)  # cm of lung below the top of a dome included in the lung


def hyperinflate(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Return a form with low, flat domes, a deep chest, horizontal ribs, a narrow heart and dark lungs."""
    s = 0.25 + 0.75 * float(request.severity or 0)
    return replace(
        form,
        dome_right=form.dome_right + 2.6 * s,
        dome_left=form.dome_left + 2.6 * s,
        dome_curve=form.dome_curve * (1 - 0.7 * s),
        half_depth=form.half_depth * (1 + 0.18 * s),
        heart_width=form.heart_width * (1 - 0.18 * s),
        lung=form.lung * (1 - 0.3 * s),
        rib_slope=form.rib_slope * (1 - 0.3 * s),
    )


def underexpand(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Return a form with high domes, crowded dense lungs and a wide heart."""
    s = 0.15 + 0.85 * float(request.severity or 0) ** 1.4
    return replace(
        form,
        dome_right=form.dome_right - 5.5 * s,
        dome_left=form.dome_left - 5.5 * s,
        heart_width=form.heart_width * (1 + 0.12 * s),
        lung=form.lung * (1 + 0.3 * s),
        rib_slope=form.rib_slope * (1 + 0.2 * s),
    )


def _hyperinflated(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Return both lungs above the domes."""
    return _lungs(chest) & (chest.beam.y < _dome_heights(chest, chest.marks.domes) + _BEHIND)


def _underexpanded(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Return both lungs, their hazy bases included, and the area lost to the raised domes."""
    floor = _dome_heights(chest, chest.marks.domes)
    base = smooth_step(chest.beam.y - floor, -7.0, -0.5)
    chest.density *= 1 + (0.05 + 0.45 * float(request.severity or 0) ** 1.3) * base
    healthy = _dome_heights(chest, domes(form_of(chest.beam.patient), chest.beam))
    lungs = _lungs(chest)
    lost = lungs.any(0) & (chest.beam.y >= floor) & (chest.beam.y < healthy)
    return lungs & (chest.beam.y < floor + _BEHIND) | lost


def _lungs(chest: Chest) -> Bools:
    return chest.marks.lungs["right"] | chest.marks.lungs["left"]


def _dome_heights(chest: Chest, lines: dict[str, Points]) -> Float32:
    """Return y (1, size) of the domes in each film column."""
    film = np.array([chest.beam.on_film(*point) for line in lines.values() for point in line])
    order = np.argsort(film[:, 0])
    return np.asarray(np.interp(chest.beam.x, film[order, 0], film[order, 1]), np.float32)


VOLUME = {
    "Hyperinflated Lung": DrawnFinding(_hyperinflated, hyperinflate),
    "Hypoexpansion": DrawnFinding(_underexpanded, underexpand),
}
