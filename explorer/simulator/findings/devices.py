"""Support devices: what keeps a patient going and watched, but for central venous catheters."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.leads import electrodes
from explorer.simulator.findings.pacemaker import pacemaker
from explorer.simulator.findings.tubes import drain, endotracheal, gastric, valve
from explorer.simulator.findings.wires import joined
from explorer.simulator.request import Request
from models.array_types import Bools

_ALL = (electrodes, gastric, endotracheal, drain, pacemaker, valve)
# How often each is the first device: those who lie in bed have tubes and cables, those who walk a pacemaker.
_IN_BED = (0.34, 0.22, 0.2, 0.1, 0.12, 0.02)
_WALKING = (0.08, 0.06, 0.0, 0.1, 0.64, 0.12)

_BOLD = 0.3  # a pacemaker is never subtle
_HIGH = 0.5  # from here on two devices at least, one of them plain
_PLAIN = (electrodes, drain, pacemaker)


def support_devices(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """One pale device when subtle, two to five of them when obvious."""
    severity = float(request.severity or 0)
    shares = np.array(_IN_BED if chest.beam.patient.view == "AP" else _WALKING)
    drawn = random.choice(len(_ALL), size=int((shares > 0).sum()), replace=False, p=shares / shares.sum())
    count = 1 + int((random.uniform(size=3) < 0.7 * severity).sum())
    own = random.spawn(len(_ALL))  # each device looks the same whatever else is there
    order = [int(pick) for pick in drawn if severity > _BOLD or _ALL[pick] is not pacemaker]
    picks = _chosen(order, count, severity)
    return joined([_ALL[pick](chest, severity, own[pick]) for pick in sorted(picks)])


def _chosen(order: list[int], count: int, severity: float) -> list[int]:
    """The first `count` devices of an order, and those that it takes to be seen."""
    picks = order[: max(count, 2 if severity >= _HIGH else 1)]
    if severity >= _HIGH and not any(_ALL[pick] in _PLAIN for pick in picks):
        picks.append(next(pick for pick in order if _ALL[pick] in _PLAIN))
    alone = all(_ALL[pick] is endotracheal for pick in picks)  # two hairs before the spine: nobody finds them
    return order[:2] if alone else picks


DEVICES = {"Support Devices": DrawnFinding(support_devices)}
