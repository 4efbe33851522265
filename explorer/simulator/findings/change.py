"""Replace lung with other material, and find where the film changed."""

from __future__ import annotations

import numpy as np
from scipy.ndimage import binary_closing, binary_dilation

from explorer.simulator.chest import WATER, Chest
from models.array_types import Bools, Float32

_HOLES = 0.25  # cm, gaps in a mask to close, where a change crosses zero


def fill_with_water(chest: Chest, path: Float32) -> None:
    """Replace up to `path` cm of each ray's lung and vessels with water."""
    chest.fill(path / chest.lung.clip(1e-3))


def remove_lung(chest: Chest, share: Float32) -> None:
    """Replace a fraction (0 to 1) of each ray's lung and vessels with gas."""
    left = 1 - share.clip(0, 1)
    chest.lung *= left
    chest.vessels *= left


def changed_mask(chest: Chest, before: Float32, share: float = 0.12, least: float = 0.04) -> Bools:
    """Return where the attenuation changed by more than a fraction of the maximum and `least` cm of water.

    The mask is never empty: if no pixel changed enough, it contains the one that changed most.
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
