"""Draw a raised hemidiaphragm, and free gas beneath the diaphragm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from explorer.simulator.anatomy.cage import chest_cavity
from explorer.simulator.anatomy.diaphragm import below_dome, bowel_gas
from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, lung_view, requested_lungs
from explorer.simulator.patient import Patient
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step
from explorer.simulator.version import POSTURE_DRAWING
from models.array_types import Bools, Float32

_THICK = 0.3  # cm, thickness of the diaphragm between lung and free gas
_STOMACH = 0.5  # its position along the left dome
_ROUND = 9.0  # cm, radius of the dome from front to back
_MOST = np.float32(4.5)  # cm of free gas on a ray, at most
_BELOW = 1.2  # cm below the dome where it begins in a supine patient


def hemidiaphragm_elevation(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Raise one dome from the heart to the side wall; the lung above it shrinks."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    side = lung_view(chest, str(request.side))
    raised = raised_dome(side, severity, random)
    inside = chest_cavity(chest.form, chest.beam)
    healthy = below_dome(side.y - side.floor, inside)
    chest.fill((below_dome(side.y - raised, inside) - healthy) / (inside - healthy).clip(1e-3))
    if side.name == "left":
        _lift_gas(side, raised)
    return changed_mask(chest, before, share=0.04)


def raised_dome(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return y (1, size) of the top of the raised dome in each column; near the midline it is the healthy one's."""
    along = _dome_position(side)
    top, skew = float(random.uniform(0.38, 0.48)), float(random.uniform(2.2, 3.2))
    off = np.where(along < top, (top - along) / (top + 0.3), (along - top) / (1 - top)).clip(0, 1)
    rise = 0.6 + 5.4 * severity**1.7 if side.name == "right" else 1.2 + 4.8 * severity**1.4  # the left dome is lower
    bump = rise * (1 - off**skew)  # the side wall attachment stays
    return np.asarray(side.floor - bump.astype(np.float32) * smooth_step(side.out, -1.5, 2.0), np.float32)


def _lift_gas(side: LungView, raised: Float32) -> None:
    """Move stomach and bowel gas up with the raised dome."""
    chest = side.chest
    column = int(np.argmin(np.abs(_dome_position(side) - _STOMACH)))
    lifted = replace(chest.form, dome_left=chest.form.dome_left + float((raised - side.floor)[0, column]) - 0.3)
    moved = bowel_gas(lifted, chest.beam)
    moved = np.where(side.out > 0, moved * smooth_step(side.y - raised, 0.2, 0.6), moved)
    chest.gas += moved - bowel_gas(chest.form, chest.beam)


def pneumoperitoneum(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw free gas: a crescent under the dome when upright, a faint lucency over the abdomen when supine."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    known = bowel_gas(chest.form, chest.beam)  # do not remove the stomach's gas twice
    for side in requested_lungs(chest, request):
        place = (float(random.uniform(0.4, 0.52)), 0.26 + 0.2 * severity + float(random.uniform(0, 0.05)))
        most = 0.18 + 1.4 * severity**1.3 * float(random.uniform(0.85, 1.1))
        free = _free_gas(chest.beam.patient)(side, place, most)
        chest.gas += (free - known).clip(0)
    return changed_mask(chest, before)


def _free_gas(patient: Patient) -> Callable[[LungView, tuple[float, float], float], Float32]:
    if not patient.lying:
        return _crescent
    return _cupola if patient.drawing < POSTURE_DRAWING else _anterior_gas


def _crescent(side: LungView, place: tuple[float, float], most: float) -> Float32:
    """Return the path through gas under a dome, `most` cm thick at its middle; `place` is its middle and extent."""
    deep = (side.y - side.floor - np.float32(_THICK)).clip(0)
    height = np.float32(most) * (1 - (((_dome_position(side) - place[0]) / place[1]) ** 2)).clip(0) ** np.float32(0.7)
    outer = np.sqrt(2 * _ROUND * deep)
    inner = np.sqrt(2 * _ROUND * (deep - height).clip(0))
    reach = 4.0 * np.sqrt(height)  # gas ends where the dome and the organ meet, front to back
    path = 2 * (np.minimum(outer, reach) - inner).clip(0)
    return np.asarray(_MOST * np.tanh(path / _MOST) * smooth_step(height, 0.0, 0.25), np.float32)


def _cupola(side: LungView, place: tuple[float, float], most: float) -> Float32:
    """Return the path through gas in front of the organs of a supine patient: ends at the dome, fades below."""
    deep = side.y - side.floor - np.float32(_THICK)
    wide = 1 - smooth_step(np.abs(_dome_position(side) - place[0]), 0.2 * place[1], 1.1 * place[1])
    low = 2.0 + 3.0 * most
    return np.asarray((1.7 + 2.5 * most) * wide * smooth_step(deep, 0.0, 0.6) * (1 - smooth_step(deep, 0.3 * low, low)))


def _anterior_gas(side: LungView, place: tuple[float, float], most: float) -> Float32:
    """Return the path through anterior gas in a supine abdomen: a soft lucency without an edge at the dome."""
    deep = side.y - side.floor - np.float32(_BELOW)
    wide = 1 - smooth_step(np.abs(_dome_position(side) - place[0]), 0.1 * place[1], 1.5 * place[1])
    low = 3.5 + 3.0 * most
    return np.asarray(
        (2.2 + 2.5 * most) * wide * smooth_step(deep, -_BELOW / 2, 0.4 * low) * (1 - smooth_step(deep, 0.5 * low, low))
    )


def _dome_position(side: LungView) -> Float32:
    """Return the position (1, size) along the dome: 0 at the middle, 1 at the side wall."""
    outs = side.sign * np.array([side.chest.beam.on_film(*point)[0] for point in side.chest.marks.domes[side.name]])
    return np.asarray((side.out - outs.min()) / (outs.max() - outs.min()), np.float32)


DIAPHRAGM = {
    "Hemidiaphragm Elevation": DrawnFinding(hemidiaphragm_elevation),
    "Pneumoperitoneum": DrawnFinding(pneumoperitoneum),
}
