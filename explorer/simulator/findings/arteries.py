"""Draw enlarged pulmonary arteries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.trunks import ARTERIES
from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.scale import blur_map
from explorer.simulator.shapes import ellipsoid, tubes
from models.array_types import Bools, Float32

_DEEP = np.float32(2.1)  # artery with its sheath and overlapping dilated branches, relative to the artery
_SOFT = 0.06  # cm, blur from cardiac motion
_DIVISIONS = (5, 10, 20)  # branches to widen: the first of each trunk, their daughters, and theirs
Pieces = tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]


def vascular_hilar_enlargement(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw wide, smooth, convex central pulmonary arteries that taper quickly; on the left the pulmonary trunk bulges
    too.

    The right interlobar artery is enlarged from 16 mm on (Chang 1962, Am J Roentgenol 87:929).
    """
    before, severity = chest.attenuation(), float(request.severity or 0)
    for side in requested_lungs(chest, request):
        wide = 1.18 + 0.97 * severity * float(random.uniform(0.92, 1.08))
        pruned = float(random.uniform(0.5, 0.68))  # fraction of a branch's radius left after each division
        parts = zip(*(_trunks(side, wide), _branches(side, wide, pruned)), strict=True)
        starts, ends, radii = (np.concatenate(part) for part in parts)
        body = tubes(chest.beam, starts, ends, radii)
        if side.sign > 0:
            body = np.maximum(body, _trunk(side, severity))
        body = blur_map(_DEEP * body, _SOFT / chest.beam.pixel)
        added = (body - 0.7 * chest.vessels).clip(0)  # these vessels are partly the same artery
        chest.vessels += np.minimum(added, chest.lung)
    return changed_mask(chest, before, 0.08)


def _trunks(side: LungView, wide: float) -> Pieces:
    """Return the large arteries of this hilum, `wide` times their normal width, swelling outward and in the middle."""
    chest, parts = side.chest, []
    radius = float(getattr(chest.form, f"hilum_{side.name}"))
    for trunk in ARTERIES[side.name]:
        line = trunk.line(chest.marks.hila[side.name], float(side.sign))
        t = np.linspace(0, 1, len(line))
        r = radius * np.interp(t, (0, 1), trunk.radii) * (1 + (wide - 1) * (1 + 0.4 * np.sin(np.pi * t) - 0.75 * t))
        line = line + (1 - 0.9 * t**2)[:, None] * (side.sign * 0.5 * (wide - 1), 0.0, 0.0)
        parts.append((line[:-1], line[1:], np.stack([r[:-1], r[1:]], 1)))
    starts, ends, radii = (np.concatenate(part) for part in zip(*parts, strict=True))
    return starts, ends, radii


def _branches(side: LungView, wide: float, pruned: float) -> Pieces:
    """Return the branches of the trunks, widened less with each division: the periphery looks normal or pruned."""
    radius = float(getattr(side.chest.form, f"hilum_{side.name}"))
    branches = np.array(side.chest.marks.vessels[side.name][: sum(_DIVISIONS)])
    starts, ends = branches[:, 0], branches[:, 1]
    division = np.arange(len(_DIVISIONS)).repeat(_DIVISIONS)[: len(starts), None]
    radii = 0.5 * radius * (1 + 0.75 * (wide - 1)) * pruned ** (division + np.arange(2))
    return starts, ends, np.asarray(radii, np.float64)


def _trunk(side: LungView, severity: float) -> Float32:
    """Return the pulmonary trunk on the left border, between the aortic knob and the left atrium."""
    y = side.hilum[1] + 0.6
    radius = 1.1 + 0.9 * severity
    place = side.point(side.hilum[0] - 1.0 - 0.75 * radius + 0.9 * severity, y, 2.0)
    return ellipsoid(side.chest.beam, place, (radius, 1.5 * radius, radius), -0.2)
