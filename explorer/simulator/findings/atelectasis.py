"""Draw atelectasis: plates of collapsed lung at the base, or a lobe collapsed against the mediastinum and diaphragm.

Plate atelectasis is a line 1 to 5 mm thick and 3 to 10 cm long that usually reaches the pleura. Both kinds lose
volume, and the diaphragm on that side rises (Fleischner glossary; Felson's principles).
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import gaussian_filter

from explorer.simulator.anatomy.cage import chest_cavity
from explorer.simulator.anatomy.diaphragm import below_dome
from explorer.simulator.chest import Chest
from explorer.simulator.findings.change import changed_mask, fill_with_water
from explorer.simulator.findings.collapse import collapsed_lobe, pull_hilum
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step, tubes
from models.array_types import Bools, Float32, Floating

_PIECES = 16  # segments of a plate
_DEEP = 11.0  # a plate's depth along the ray relative to half its thickness
_NEAR = 1.2  # cm around the collapse in which the lung is crowded
_OVER = 0.8  # crowding per cm of a plate's path


def atelectasis(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw plates in 60% of films, otherwise a lobar collapse, and raise the hemidiaphragm."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    side = requested_lungs(chest, request)[0]
    if float(random.uniform()) < 0.6:
        _plates(side, severity, random)
        mask, lift = changed_mask(chest, before, 0.06), 1.4
    else:
        lost = collapsed_lobe(side, severity, random) * smooth_step(side.out, 0, 1.5)
        pull_hilum(side, lost, severity)
        chest.fill(lost * np.float32(0.3 + 0.55 * severity))
        _crowd(side, gaussian_filter(lost, _NEAR / chest.beam.pixel), severity)
        mask, lift = changed_mask(chest, before, 0.06, 0.15), 1.7
    before = chest.attenuation()
    lift *= severity**1.2 * float(random.uniform(0.7, 1.0))
    if lift > 0.2:
        _raise(side, lift)
        mask = mask | changed_mask(chest, before, 0.1, 0.1)
    return mask


def _raise(side: LungView, lift: float) -> None:
    """Raise the dome by `lift` cm in its middle and less at both ends."""
    middle = 0.5 * (side.mid(side.angle) + side.edge(side.angle))
    t = ((side.out - np.float32(middle)) / np.float32(middle + 0.5)).clip(-1, 1)
    raised = side.floor - np.float32(lift) * (1 - t * t) * smooth_step(side.out, 2.5, 6.5)  # the heart covers the rest
    inside = chest_cavity(side.chest.form, side.chest.beam)
    fill_with_water(
        side.chest, (below_dome(side.y - raised, inside) - below_dome(side.y - side.floor, inside)) * (side.out > 0)
    )


def _plates(side: LungView, severity: float, random: np.random.Generator) -> None:
    """Return one to three bands at different angles, the lowest first."""
    count = 1 + int(random.binomial(2, 0.15 + 0.7 * severity))
    rise = float(random.normal(0.16, 0.2))  # angle of the first plate; the others are nearly parallel to it
    paths = [(1 - 0.2 * number) * _plate(side, 0.78 - 0.11 * number, rise, severity, random) for number in range(count)]
    path = np.asarray(sum(paths, np.float32(0)), np.float32)
    _crowd(side, _OVER * gaussian_filter(path, 0.7 * _NEAR / side.chest.beam.pixel), severity)
    side.chest.fill(np.minimum(path, 0.85 * side.chest.lung) / side.chest.lung.clip(1e-3))


def _crowd(side: LungView, near: Float32, severity: float) -> None:
    """Make the lung near a collapse (`near`, 0 to 1) denser, with its vessels crowded."""
    crowded = near.clip(0, 1) * side.lung
    side.chest.density += np.float32(0.05 + 0.12 * severity) * crowded
    side.chest.vessels *= 1 + np.float32(0.6 + 0.6 * severity) * crowded


def _plate(side: LungView, share: float, rise: float, severity: float, random: np.random.Generator) -> Float32:
    """Return the path through a band that starts at the side wall or dome and tapers toward the hilum."""
    y = side.height(share + float(random.uniform(-0.06, 0.06)))
    far = side.edge(y) - (0.0 if float(random.uniform()) < 0.7 else float(random.uniform(0.8, 2.0)))
    y = min(y, float(side.floor.min()) - 0.3)  # stay above the liver
    near = side.beside(y) + (-2.0 if side.name == "left" else 0.4)  # on the left it continues behind the heart
    length = min(float(random.uniform(4.2, 5.6)) + 2.9 * severity, far - near)
    rise, bow = rise + float(random.normal(0, 0.06)), float(random.normal(0.0, 0.3))
    t = np.linspace(0, 1, _PIECES)
    out, at = far - t * length, y - rise * t * length + bow * np.sin(np.pi * t)
    points = np.array([side.point(float(o), float(a), 0.0) for o, a in zip(out, at, strict=True)])
    widest = (0.26 + 0.07 * severity) * float(random.uniform(0.7, 1.3))
    thick = widest * (1 - 0.85 * t**1.6) * (0.35 + 0.65 * np.minimum(t / 0.4, 1))
    deep = _DEEP / 2 * (1 + 0.35 * np.sin(random.uniform(2, 5) * t + random.uniform(0, 6.3))) * (1 - 0.4 * t)
    deep *= 0.4 + 0.6 * np.minimum(t / 0.3, 1)
    core, halo = _band(side, points, thick, deep), _band(side, points, 3.0 * thick, 0.3 * deep)
    return np.asarray(float(random.uniform(1.05, 1.25)) * core + 0.75 * halo, np.float32)


def _band(side: LungView, points: Float32, thick: Floating, deep: Floating) -> Float32:
    pairs = np.stack([thick[:-1], thick[1:]], 1), np.stack([deep[:-1], deep[1:]], 1)
    return tubes(side.chest.beam, points[:-1], points[1:], pairs[0], depth=pairs[1])


ATELECTASIS = {"Atelectasis": DrawnFinding(atelectasis)}
