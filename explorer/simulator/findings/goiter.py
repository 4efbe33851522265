"""Draw a goiter: the thyroid extends into the upper chest and displaces the trachea."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.simulator.anatomy.airway import airway
from explorer.simulator.anatomy.form import Form
from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.request import Request
from explorer.simulator.shapes import ellipsoid, smooth_step
from models.array_types import Bools

_SEEN = 0.15  # cm of tracheal air gained or lost


def _push(form: Form, request: Request, random: np.random.Generator) -> Form:
    """Return the form with the trachea displaced away from the larger lobe."""
    away = float(random.choice((-1.0, 1.0)))
    return replace(form, trachea_push=away * (0.5 + 1.3 * float(request.severity or 0)))


def goiter(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw paratracheal lobes, one larger, extending below the clavicles with smooth borders against the lung.

    Above the clavicles the lobes have no border, because there is no lung beside them (cervicothoracic sign, Felson
    1973).
    """
    severity = float(request.severity or 0)
    larger = -float(np.sign(chest.form.trachea_push)) or 1.0
    before = chest.attenuation()
    for sign in (larger, -larger):
        _lobe(chest, sign, 1.0 if sign == larger else float(random.uniform(0.4, 0.65)), severity, random)
    unmoved = airway(replace(chest.form, trachea_push=0.0), chest.beam)
    moved = np.abs(airway(chest.form, chest.beam) - unmoved)
    return np.asarray(changed_mask(chest, before, share=0.08) | (moved > _SEEN))


def _lobe(chest: Chest, sign: float, share: float, severity: float, random: np.random.Generator) -> None:
    inlet = float(np.mean([line[0, 1] for line in chest.marks.clavicles.values()]))
    wide = (1.5 + 2.0 * severity) * share
    tall = (3.2 + 2.2 * severity) * (0.5 + 0.5 * share)
    x = chest.marks.carina[0] + sign * (0.4 + 0.55 * wide)
    y = inlet - 1.9 + 0.9 * severity * share
    whole = ellipsoid(chest.beam, (x, y, 2.0), (wide, tall, 1.1 * wide), sign * 0.15)
    knot = (x + sign * float(random.uniform(0.1, 0.4)) * wide, y + float(random.uniform(-0.3, 0.4)) * tall, 3.0)
    size = float(random.uniform(0.5, 0.7)) * wide
    path = np.maximum(whole, ellipsoid(chest.beam, knot, (size, 1.2 * size, size)))
    front = 0.2 + 0.8 * smooth_step(chest.beam.at(2.0)[1], inlet - 2.5, inlet + 1.0)  # no edge above the clavicle
    air = np.minimum(path * front, chest.lung)
    chest.fill(air / chest.lung.clip(0.01))
    chest.soft += 0.3 * (path - air)  # outside the chest it replaces fat and bulges the neck
    if severity * share > 0.6:
        chest.bone += 0.5 * ellipsoid(chest.beam, knot, (0.3, 0.22, 0.4), float(random.uniform(0, 3)))


GOITER = {"Goiter": DrawnFinding(goiter, _push)}
