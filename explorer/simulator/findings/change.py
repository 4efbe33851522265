"""Lung replaced by something else, and where that shows on the film."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import binary_closing, binary_dilation

from explorer.simulator.chest import WATER, Chest
from models.array_types import Bools, Float32

_HOLES = 0.25  # cm: gaps in a mask that are closed, where a change happens to cross zero


def put(chest: Chest, path: Float32) -> None:
    """Replace up to `path` cm of each ray's lung, with its vessels, by water."""
    chest.fill(path / chest.lung.clip(1e-3))


def empty(chest: Chest, share: Float32) -> None:
    """Take this share (0 .. 1) of each ray's lung, with its vessels, away: gas is left."""
    left = 1 - share.clip(0, 1)
    chest.lung *= left
    chest.vessels *= left


def shown(chest: Chest, before: Float32, share: float = 0.12, least: float = 0.04) -> Bools:
    """Where the attenuation differs from `before` by more than a share of the largest change, and `least` cm of water.

    Never empty: where nothing is that much, it is the place that changed most.
    """
    change = np.abs(chest.attenuation() - before) / np.float32(WATER)
    peak = float(change.max())
    mask = change > max(share * peak, min(least, 0.5 * peak))
    steps = round(_HOLES / chest.beam.pixel)
    if steps:
        mask = binary_closing(np.pad(mask, steps), iterations=steps)[steps:-steps, steps:-steps]
    if not mask.any():
        mask = np.zeros_like(mask)
        mask.flat[int(change.argmax())] = True
        mask = binary_dilation(mask)
    return np.asarray(mask, bool)
