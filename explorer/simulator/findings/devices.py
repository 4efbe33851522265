"""Draw support devices other than central venous catheters."""

from __future__ import annotations

import numpy as np

from explorer.simulator.chest import Chest
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.leads import electrodes
from explorer.simulator.findings.pacemaker import pacemaker
from explorer.simulator.findings.tubes import drain, endotracheal, gastric, valve
from explorer.simulator.findings.wires import union_mask
from explorer.simulator.request import Request
from models.array_types import Bools

_ALL = (electrodes, gastric, endotracheal, drain, pacemaker, valve)
# Probability of each device being first: bedridden patients have tubes and cables, ambulatory ones a pacemaker.
_IN_BED = (0.34, 0.22, 0.2, 0.1, 0.12, 0.02)
_WALKING = (0.08, 0.06, 0.0, 0.1, 0.64, 0.12)

_BOLD = 0.3  # a pacemaker is never subtle
_HIGH = 0.5  # from this severity on, at least two devices, one of them conspicuous
_PLAIN = (electrodes, drain, pacemaker)


def support_devices(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw one faint device when subtle, and two to five devices when obvious."""
    severity = float(request.severity or 0)
    shares = np.array(_IN_BED if chest.beam.patient.view == "AP" else _WALKING)
    drawn = random.choice(len(_ALL), size=int((shares > 0).sum()), replace=False, p=shares / shares.sum())
    count = 1 + int((random.uniform(size=3) < 0.7 * severity).sum())
    own = random.spawn(len(_ALL))  # each device looks the same regardless of what else is drawn
    order = [int(pick) for pick in drawn if severity > _BOLD or _ALL[pick] is not pacemaker]
    picks = _choose_devices(order, count, severity)
    return union_mask([_ALL[pick](chest, severity, own[pick]) for pick in sorted(picks)])


def _choose_devices(order: list[int], count: int, severity: float) -> list[int]:
    """Return the first `count` devices of an order, plus any needed to make the finding visible."""
    picks = order[: max(count, 2 if severity >= _HIGH else 1)]
    if severity >= _HIGH and not any(_ALL[pick] in _PLAIN for pick in picks):
        picks.append(next(pick for pick in order if _ALL[pick] in _PLAIN))
    alone = all(_ALL[pick] is endotracheal for pick in picks)  # two thin lines in front of the spine would be invisible
    return order[:2] if alone else picks


DEVICES = {"Support Devices": DrawnFinding(support_devices)}
