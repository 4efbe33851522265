"""Draw interstitial disease: fine lines, dots and haze."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest, Points
from explorer.simulator.findings.finding import DrawnFinding
from explorer.simulator.findings.side import LungView, requested_lungs
from explorer.simulator.findings.texture import (
    in_depth,
    lateral_position,
    random_points,
    specks,
    texture_mask,
    vertical_position,
)
from explorer.simulator.request import Request
from explorer.simulator.shapes import noise_field, smooth_step, tubes
from models.array_types import Bools, Float32


@dataclass(frozen=True, slots=True)
class _Pattern:
    """The composition of one pattern; paths and lengths are in cm."""

    share: float  # relative frequency of the pattern
    haze: float  # density of the smooth haze
    net: float  # path through a septum along the ray
    mesh: float  # mesh width of the net
    dots: int  # nodules per lung
    zone: str  # location: "low", "hilar" or "all"
    comb: float = 0.0  # path through honeycomb walls along the pleura
    kerley: bool = False
    bold: float = 1.0  # weight of the nodules


# Fleischner glossary (Hansell 2008): reticular with honeycombing, reticulonodular, miliary, ground glass; septal as in
# congestion.
_PATTERNS = (
    _Pattern(0.30, 0.28, 3.2, 0.36, 0, "low", comb=3.6),
    _Pattern(0.25, 0.2, 2.6, 0.42, 170, "low"),
    _Pattern(0.20, 0.1, 0.0, 0.4, 7000, "all", bold=3.2),
    _Pattern(0.15, 0.36, 0.9, 0.34, 0, "low"),
    _Pattern(0.20, 0.28, 2.4, 0.55, 0, "hilar", kerley=True),
)


def interstitial_pattern(chest: Chest, request: Request, random: np.random.Generator) -> Bools:
    """Draw one of the patterns in its usual zones."""
    before, severity = chest.attenuation(), float(request.severity or 0)
    pattern = _pattern(request.side == "both", random)
    low = bool(random.uniform() < 0.75)
    amount = 0.12 + 0.88 * severity**1.15
    patchy = 0.3 + 0.7 * smooth_step(noise_field(random, chest.beam, 3.0), -1.5, 0.8)
    septa = sum((_net(random, chest.beam, scale * pattern.mesh) for scale in (0.8, 1.1, 1.6, 2.6)), np.float32(0))
    septa = septa * (0.75 + 0.5 * noise_field(random, chest.beam, 0.5)).clip(0.15)  # some thick, some barely visible
    mottle = noise_field(random, chest.beam, 0.3) + noise_field(random, chest.beam, 0.7)
    comb = _net(random, chest.beam, 0.5, 0.1) if pattern.comb else np.float32(0)
    air = smooth_step(chest.lung, 1.0, 10.0)  # less lung means fewer septa on the ray
    for side in requested_lungs(chest, request):
        out, height = lateral_position(side), vertical_position(side)
        where = _zone(out, height, pattern.zone, low) * patchy * side.lung * air
        chest.density += amount * pattern.haze * where * (1 + 0.22 * mottle).clip(0)
        rim = smooth_step(out, 0.55, 0.95) * (
            smooth_step(height, 0.45, 0.85) if low else 1 - smooth_step(height, 0.2, 0.5)
        )
        thick = amount * (pattern.net * septa * where + pattern.comb * comb * rim * patchy * side.lung * air)
        thick += pattern.bold * (0.5 + 1.2 * severity) * _dots(side, pattern, low, severity, random) * side.lung * air
        if pattern.kerley:
            thick += (1.5 + 3.5 * severity) * _kerley(side, severity, random) * side.lung
        chest.vessels += thick
    return texture_mask(chest, before, share=0.07)


def _pattern(both: bool, random: np.random.Generator) -> _Pattern:
    """Choose a pattern by frequency; nodules spread by blood or airways and are never unilateral."""
    some = [each for each in _PATTERNS if both or not each.dots]
    shares = np.array([each.share for each in some])
    return some[int(random.choice(len(some), p=shares / shares.sum()))]


def _net(random: np.random.Generator, beam: Beam, mesh: float, width: float = 0.05) -> Float32:
    """Return a net of walls, `width` cm wide, where noise is zero: the fraction (size, size) of a wall on each ray.

    Walls thinner than a pixel keep their mass.
    """
    values = np.abs(noise_field(random, beam, mesh))
    slope = np.float32(1.1 / mesh)  # slope of the noise at its zeros, per cm
    wide = np.hypot(width, 0.6 * beam.pixel)
    return np.asarray(np.float32(width / wide) * np.exp(-((values / (slope * wide)) ** 2)), np.float32)


def _zone(out: Float32, height: Float32, zone: str, low: bool) -> Float32:
    """Return weights of positions, which are fractions of the lung's width (0 medial) and height (0 apex)."""
    if zone == "all":
        return np.ones_like(out * height)
    if zone == "hilar":  # around the hila and downward
        return smooth_step(height, 0.05, 0.6) * (1 - 0.6 * smooth_step(out, 0.35, 1.0))
    level = smooth_step(height, 0.25, 0.8) if low else 1 - smooth_step(height, 0.3, 0.75)
    return (0.12 + 0.88 * level) * (0.45 + 0.55 * smooth_step(out, 0.2, 0.9))


def _dots(side: LungView, pattern: _Pattern, low: bool, severity: float, random: np.random.Generator) -> Float32:
    """Return nodules throughout the lung: 1 to 3 mm in the miliary pattern, otherwise up to 4 mm."""
    film, size = _pattern_points(side, pattern, low, int(pattern.dots * (0.3 + 0.7 * severity)), random)
    return specks(side, film, 0.05 + (0.06 if pattern.zone == "all" else 0.1) * size)


def _kerley(side: LungView, severity: float, random: np.random.Generator) -> Float32:
    """Return Kerley B lines: 1 to 2 cm long, perpendicular to the lateral pleura above the costophrenic angle."""
    count = int(4 + 10 * severity)
    y = random.uniform(side.height(0.68), side.height(0.97), count)
    length = random.uniform(0.8, 1.8, count)
    out = np.interp(y, side.y[:, 0], side.outer[:, 0]) - 0.1
    inward = np.stack([out - length, y - random.normal(0.1, 0.12, count) * length], 1)
    return _tubes(side, np.stack([out, y], 1), inward, np.full(count, 0.05))


def _pattern_points(
    side: LungView, pattern: _Pattern, low: bool, count: int, random: np.random.Generator
) -> tuple[Points, Points]:
    """Return film positions (n, 2) spread over the pattern's zone, and a fraction (n,) for the size of each."""
    film, share = random_points(side, random, count)
    chance = random.uniform(size=(count, 2))
    out, height = share.astype(np.float32).T
    keep = chance[:, 0] < _zone(out, height, pattern.zone, low)
    return film[keep], chance[keep, 1]


def _tubes(side: LungView, starts: Points, ends: Points, radius: Points) -> Float32:
    """Return the path (size, size) through thin straight tubes between film positions (n, 2)."""
    if not len(starts):
        return np.zeros_like(side.chest.lung)
    z = np.zeros(len(starts))
    return tubes(side.chest.beam, in_depth(side, starts, z), in_depth(side, ends, z), np.stack([radius, radius], 1))


INTERSTITIUM = {"Interstitial Pattern": DrawnFinding(interstitial_pattern)}
