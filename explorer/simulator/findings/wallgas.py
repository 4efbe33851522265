"""Draw gas in the soft tissue of the chest wall and neck, and between pectoral muscle fibers."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import map_coordinates

from explorer.simulator.chest import Chest
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.findings.texture import texture_mask
from explorer.simulator.request import Request
from explorer.simulator.shapes import smooth_step
from models.array_types import Bools, Float32

_GRID = 96  # points of a noise grid, beyond which the noise repeats
_ARM = np.float32(8.0)  # cm down the arm, where the pectoral fibers would converge
_OCTAVES = (0.75, 0.5, 0.4)  # strength of long streaks, fine streaks and bubbles


def subcutaneous_emphysema(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw dark streaks along tissue planes: first the side wall, then the pectoral muscle and the neck."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    for side in requested_lungs(chest, request):
        much = severity * float(random.uniform(0.7, 1.0))  # never equal on both sides
        gas = _wall(side, much, random)
        fan, neck = random.uniform(size=2) < 0.35 + 0.75 * severity
        if fan:
            gas = np.maximum(gas, _fan(side, much, random))
        if neck:
            gas = np.maximum(gas, _neck(side, much, random))
        chest.gas += np.minimum(gas, np.float32(0.5) * chest.soft * smooth_step(chest.soft, -2.0, 9.0))
    return texture_mask(chest, before, near=0.3, share=0.1)


def _wall(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return layers along the side wall outside the ribs, from the axilla down."""
    beam, form = side.chest.beam, side.chest.form
    film = np.array([beam.on_film(*point) for point in side.chest.marks.walls[side.name]])
    order = np.argsort(film[:, 1])
    widest = np.maximum.accumulate(np.abs(film[order, 0]))  # above, the plane continues straight into the axilla
    inner = np.interp(beam.y[:, 0], film[order, 1], np.maximum(widest, 0.75 * widest[-1]))[:, None]
    out = (side.out - inner).astype(np.float32)
    thick, start = form.wall + 1.0 + 1.5 * severity, side.height(random.uniform(0.1, 0.3) - 0.15 * severity)
    length = (5 + 14 * severity) * random.uniform(0.8, 1.2)
    band = smooth_step(out, 0.2, 0.7) * (1 - smooth_step(out, 0.45 * thick, 0.9 * thick))
    band = band * smooth_step(side.y + 0.5 * out, start - 3.0, start + 2.0)
    band *= smooth_step(side.y, side.height(0.05), side.height(0.2))  # no plane above the clavicle
    band *= 1 - smooth_step(side.y, start + 0.6 * length, start + length)
    streaks = _streaks(random, band, (out / 0.26, side.y / 4.5), (out / 0.15, side.y / 2.0), (out / 0.4, side.y / 0.6))
    return np.float32(2.7 + 0.8 * severity) * band * smooth_step(streaks, -0.3 - 0.7 * severity, 1.9)


def _fan(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return streaks between muscle fibers from the upper arm to the sternum and clavicle."""
    form, sign = side.chest.form, np.float32(side.sign)
    x, y = side.chest.beam.at(7.0)
    dx, dy = form.half_width + 2.0 - sign * x, y - np.float32(side.height(0.08))
    near, turn = np.hypot(dx, dy), np.arctan2(dy, dx)
    reach = smooth_step(near, 0.5, 4) * (1 - smooth_step(near, 6 + 3 * severity, 10 + 4 * severity))
    fan = reach * smooth_step(turn, -0.25, 0.3) * (1 - smooth_step(turn, 0.6, 1.25))
    far, angle = np.hypot(dx + _ARM, dy + 0.5 * _ARM), np.arctan2(dy + 0.5 * _ARM, dx + _ARM)
    angle = angle + np.float32(0.016) * np.sin(far * np.float32(0.4) + np.float32(random.uniform(0, 6.3)))
    streaks = _streaks(random, fan, (angle * 40, far / 4.0), (angle * 105, far / 2.5), (angle * 24, far / 0.8))
    return np.float32(1.6 + 0.9 * severity) * fan * smooth_step(streaks, 0.2 - 0.7 * severity, 1.8)


def _neck(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return vertical streaks beside the airway, above the clavicle."""
    out, y = side.out, side.y - np.float32(side.top)
    phase = random.uniform(0, 6.3, 3).astype(np.float32)
    strays = 0.5 * np.sin(0.9 * y + phase[0]) + 0.3 * np.sin(2.3 * y + phase[1])
    place = smooth_step(out + strays, 1.4, 3.2) * (1 - smooth_step(out + 2 * strays, 3.5, 7.5))
    place = place * smooth_step(-y + 0.6 * np.sin(2 * out + phase[2]), -3.0, 1.5) * (1 - smooth_step(-y, 2.5, 7.5))
    streaks = _streaks(random, place, (out / 0.3 + 0.5 * y, y / 2.0), (out / 0.15 - y, y / 1.2), (out / 0.5, y / 0.5))
    return np.float32(0.9 + 1.8 * severity) * place * smooth_step(streaks, 0.0 - 0.6 * severity, 1.7)


def _streaks(random: np.random.Generator, where: Float32, *planes: tuple[Float32, Float32]) -> Float32:
    """Return noise stretched along tissue planes, finer planes first; coordinates across and along are in cells.

    Computed only where `where` is above 0.
    """
    inside = where > 0.01
    total = np.zeros_like(where)
    for number, (across, along) in enumerate(planes):
        grid = random.standard_normal((_GRID, _GRID)).astype(np.float32)
        at = [np.broadcast_to(each, where.shape)[inside] + _GRID // 2 for each in (across, along)]
        noise = map_coordinates(grid, at, order=3, mode="grid-wrap", prefilter=False)
        total[inside] += np.float32(_OCTAVES[number] * 2.09) * noise  # restores a standard deviation of 1
    return total


WALLGAS = {"Subcutaneous Emphysema": DrawnFinding(subcutaneous_emphysema)}
