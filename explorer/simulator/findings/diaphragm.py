"""The diaphragm: a raised side, and gas beneath it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from explorer.simulator.anatomy.cage import cavity
from explorer.simulator.anatomy.diaphragm import beneath, gas
from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import shown
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import Side, side_of, sides
from explorer.simulator.patient import Patient
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth
from explorer.simulator.version import POSTURE
from models.array_types import Bools, Float32

_THICK = 0.3  # cm, the diaphragm between lung and free gas
_STOMACH = 0.5  # its place along the left dome
_ROUND = 9.0  # cm, radius of the dome from front to back
_MOST = np.float32(4.5)  # cm of free gas on a ray
_BELOW = 1.2  # cm under the dome, where it begins in a supine patient


def hemidiaphragm_elevation(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """One dome stands high from the heart to the side wall; the lung above it is smaller."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    side = side_of(chest, str(request.side))
    along = _along(side)
    top, skew = float(random.uniform(0.38, 0.48)), float(random.uniform(2.2, 3.2))
    off = np.where(along < top, (top - along) / (top + 0.3), (along - top) / (1 - top)).clip(0, 1)
    rise = 0.6 + 5.4 * severity**1.7 if side.name == "right" else 1.2 + 4.8 * severity**1.4  # the left stands lower
    bump = rise * (1 - off**skew)  # all of the leaf rises; it stays fixed to the side wall
    raised = side.floor - bump.astype(np.float32) * smooth(side.out, -1.5, 2.0)
    inside = cavity(chest.form, chest.beam)
    healthy = beneath(side.y - side.floor, inside)
    chest.fill((beneath(side.y - raised, inside) - healthy) / (inside - healthy).clip(1e-3))
    if side.name == "left":
        _lift_gas(side, along, raised)
    return shown(chest, before, share=0.04)


def _lift_gas(side: Side, along: Float32, raised: Float32) -> None:
    """The stomach's and the bowel's gas follow the raised dome up."""
    chest = side.chest
    column = int(np.argmin(np.abs(along - _STOMACH)))
    lifted = replace(chest.form, dome_left=chest.form.dome_left + float((raised - side.floor)[0, column]) - 0.3)
    moved = gas(lifted, chest.beam)
    moved = np.where(side.out > 0, moved * smooth(side.y - raised, 0.2, 0.6), moved)
    chest.gas += moved - gas(chest.form, chest.beam)


def pneumoperitoneum(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Free gas: upright a crescent between the dome and the organ below it, lying a faint lucency over the abdomen."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    known = gas(chest.form, chest.beam)  # the stomach's own gas is not taken out twice
    for side in sides(chest, request):
        place = (float(random.uniform(0.4, 0.52)), 0.26 + 0.2 * severity + float(random.uniform(0, 0.05)))
        most = 0.18 + 1.4 * severity**1.3 * float(random.uniform(0.85, 1.1))
        free = _free_gas(chest.beam.patient)(side, place, most)
        chest.gas += (free - known).clip(0)
    return shown(chest, before)


def _free_gas(patient: Patient) -> Callable[[Side, tuple[float, float], float], Float32]:
    if not patient.lying:
        return _crescent
    return _cupola if patient.drawing < POSTURE else _before_the_liver


def _crescent(side: Side, place: tuple[float, float], most: float) -> Float32:
    """Path through gas under a dome, `most` cm high in its middle; `place` is middle and reach along the dome."""
    deep = (side.y - side.floor - np.float32(_THICK)).clip(0)
    height = np.float32(most) * (1 - (((_along(side) - place[0]) / place[1]) ** 2)).clip(0) ** np.float32(0.7)
    outer = np.sqrt(2 * _ROUND * deep)
    inner = np.sqrt(2 * _ROUND * (deep - height).clip(0))
    reach = 4.0 * np.sqrt(height)  # front to back, the gas ends where dome and organ meet
    path = 2 * (np.minimum(outer, reach) - inner).clip(0)
    return np.asarray(_MOST * np.tanh(path / _MOST) * smooth(height, 0.0, 0.25), np.float32)


def _cupola(side: Side, place: tuple[float, float], most: float) -> Float32:
    """Path through gas in front of the organs of a lying patient: it ends above at the dome and fades below."""
    deep = side.y - side.floor - np.float32(_THICK)
    wide = 1 - smooth(np.abs(_along(side) - place[0]), 0.2 * place[1], 1.1 * place[1])
    low = 2.0 + 3.0 * most
    return np.asarray((1.7 + 2.5 * most) * wide * smooth(deep, 0.0, 0.6) * (1 - smooth(deep, 0.3 * low, low)))


def _before_the_liver(side: Side, place: tuple[float, float], most: float) -> Float32:
    """Path through gas that rose to the front of a supine belly: a soft lucency, no edge at the dome."""
    deep = side.y - side.floor - np.float32(_BELOW)
    wide = 1 - smooth(np.abs(_along(side) - place[0]), 0.1 * place[1], 1.5 * place[1])
    low = 3.5 + 3.0 * most
    return np.asarray(
        (2.2 + 2.5 * most) * wide * smooth(deep, -_BELOW / 2, 0.4 * low) * (1 - smooth(deep, 0.5 * low, low))
    )


def _along(side: Side) -> Float32:
    """Place (1, size) along the dome: 0 at the middle, 1 at the side wall."""
    outs = side.sign * np.array([side.chest.beam.on_film(*point)[0] for point in side.chest.marks.domes[side.name]])
    return np.asarray((side.out - outs.min()) / (outs.max() - outs.min()), np.float32)


DIAPHRAGM = {
    "Hemidiaphragm Elevation": DrawnFinding(hemidiaphragm_elevation),
    "Pneumoperitoneum": DrawnFinding(pneumoperitoneum),
}
