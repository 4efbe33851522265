"""Draw an elongated aorta and calcified plaque in its wall."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.ndimage import binary_closing

from explorer.simulator.anatomy.airway import airway
from explorer.simulator.anatomy.cage import chest_cavity
from explorer.simulator.anatomy.diaphragm import below_diaphragm
from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.anatomy.mediastinum import mediastinum
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.wires import smooth_course, union_mask
from explorer.simulator.request import Request
from explorer.simulator.shapes import curved_tube
from models.array_types import Bools, Float32

_MOVED = 0.25  # cm of lung gained or lost on a ray
_BLUR = 0.09  # cm around a calcification that image blur turns white
_GAP = 0.5  # cm, gaps in the changed area to close


def _elongate(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Return the form with a higher, wider arch, the ascending aorta shifted right and the descending aorta left."""
    severity = float(request.severity or 0)
    return replace(
        form,
        aorta_stretch=form.aorta_stretch + 0.22 + 0.7 * severity + float(random.uniform(0, 0.1)),
        aorta_bulge=form.aorta_bulge + 0.55 + 1.15 * severity,
        aorta_radius=form.aorta_radius * (1.1 + 0.2 * severity),
    )


def _aorta(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Return the area the aorta has moved into or out of."""
    healthy = form_of(chest.beam.patient)
    before = replace(
        chest.form,
        aorta_stretch=healthy.aorta_stretch,
        aorta_bulge=healthy.aorta_bulge,
        aorta_radius=healthy.aorta_radius,
    )
    moved = np.abs(_lung(chest.form, chest.beam) - _lung(before, chest.beam))
    moved = np.maximum(moved, np.abs(airway(chest.form, chest.beam) - airway(before, chest.beam)))
    mask = moved > min(_MOVED, 0.5 * float(moved.max()))
    steps = max(1, round(_GAP / chest.beam.pixel))
    return np.asarray(binary_closing(np.pad(mask, steps), iterations=steps)[steps:-steps, steps:-steps])


def _lung(form: Form, beam: Beam) -> Float32:
    """Return the path (size, size) through the lungs around the heart and vessels."""
    inside = chest_cavity(form, beam)
    organs, behind = mediastinum(form, beam, below_diaphragm(form, beam, inside))
    return np.asarray((inside - organs - behind).clip(0), np.float32)


def atheroma(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw calcified plaque in the arch wall, thin and curved where seen edge on; longer and thicker when obvious."""
    severity = float(request.severity or 0)
    knob, first = _knob(chest)
    radius = chest.form.aorta_radius * 0.97
    pieces = 2 + round(3 * severity)
    masks = []
    for _ in range(pieces):
        start = float(random.uniform(-1.9, 0.6))  # from the top of the arch around to its left; 0 is straight left
        span = float(random.uniform(0.5, 0.8 + 0.6 * severity))
        turn = np.linspace(start, min(start + span, 1.2), 12)
        line = knob + radius * np.stack([np.cos(turn), np.sin(turn), 0 * turn], 1)
        masks.append(_calcification(chest, line, severity, random))
    for _ in range(int(random.binomial(2, 0.6 * severity))):
        descending = chest.marks.aorta[first + 1 :]
        at = int(random.integers(0, max(1, len(descending) - 1)))
        share = np.linspace(0, float(random.uniform(0.3, 0.9)), 8)[:, None]
        line = descending[at] + share * (descending[min(at + 1, len(descending) - 1)] - descending[at])
        masks.append(
            _calcification(
                chest, line + [radius * float(random.choice((-1, 1), p=(0.25, 0.75))), 0, 0], severity, random
            )
        )
    return union_mask(masks)


def _knob(chest: Chest) -> tuple[Points, int]:
    """Return the center of the aorta at the aortic knob, and its index along the aorta."""
    line = chest.marks.aorta
    high = line[:, 1] < line[:, 1].min() + 3.0
    first = int(np.argmax(np.where(high, line[:, 0], -np.inf)))
    return line[first], first


def _calcification(chest: Chest, line: Points, severity: float, random: np.random.Generator) -> Bools:
    """Draw an eggshell calcification along a line: smooth, uneven, and thin at its ends."""
    fine = smooth_course(line, 0.12)
    at = np.linspace(0, 1, len(fine))
    uneven = np.interp(at, np.linspace(0, 1, 6), random.uniform(0.55, 1.3, 6))
    thick = (0.085 + 0.03 * severity) * uneven * (0.3 + 0.7 * np.sin(np.pi * at) ** 0.5)
    path = curved_tube(chest.beam, fine, thick)
    chest.bone += path * np.float32(11.5 + 2.5 * severity)  # a sheet seen edge on
    return np.asarray(curved_tube(chest.beam, fine, thick + _BLUR) > 0)


AORTA = {"Aortic Elongation": DrawnFinding(_aorta, _elongate), "Aortic Atheromatosis": DrawnFinding(atheroma)}
