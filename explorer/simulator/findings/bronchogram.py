"""Draw air bronchograms: air-filled bronchi in airless lung (Fleischner glossary)."""

from __future__ import annotations

import numpy as np

from explorer.simulator.findings.side import LungView
from explorer.simulator.shapes import tubes
from models.array_types import Float32

_STEM = 0.36  # cm, radius of a segmental bronchus at the hilum
_LENGTH = 1.9  # cm between branchings there


def bronchi(side: LungView, random: np.random.Generator, generations: int = 4) -> Float32:
    """Return the path (size, size) through the air of segmental bronchi and branches, fanning out from the hilum."""
    out, y = side.hilum
    root = np.array(side.point(out - 0.6, y, 0.0))
    starts, ends, radii = [], [], []
    tips = [(root, angle + float(random.normal(0, 0.08)), _STEM) for angle in np.linspace(-1.25, 1.45, 7)]
    for generation in range(generations):
        grown = []
        for at, angle, radius in tips:
            length = _LENGTH * 0.9**generation * float(random.uniform(0.8, 1.2))
            to = at + length * np.array([side.sign * np.cos(angle), np.sin(angle), 0.0])
            thinner = radius * 0.74
            starts.append(at)
            ends.append(to)
            radii.append((radius, thinner))
            fork = float(random.uniform(0.25, 0.5))
            grown += [(to, angle - fork * 0.6, thinner), (to, angle + fork * 0.8, thinner * 0.9)]
        tips = grown
    return tubes(side.chest.beam, np.array(starts), np.array(ends), np.array(radii))
