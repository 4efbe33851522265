"""Does a heat map find its target: the map over the film against the finding's mask, numpy in, numbers out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LEVELS: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)  # shares of a map's maximum

ALIKE = 0.5  # median correlation between maps of two findings from which they do not tell findings apart


@dataclass(frozen=True, slots=True)
class Found:
    """How a map lies to a mask.

    `pointing`: the maximum lies in the mask (the pointing game of Zhang et al., ECCV 2016). `energy`: the share of the
    map's heat in the mask over the mask's share of the film, 1 is chance; None where the map has no heat. `overlap`:
    intersection over union of the mask and what of the map reaches each of `LEVELS`.
    """

    pointing: bool
    energy: float | None
    overlap: tuple[float, ...]


def found(heat: NDArray[np.floating], mask: NDArray[np.bool_]) -> Found:
    """How a map (h, w), 0 or more, lies to a mask (h, w). A map without heat finds nothing. Raises ValueError."""
    if heat.shape != mask.shape or not mask.any():
        raise ValueError(f"A map {heat.shape} is compared with a mask {mask.shape} that is not empty.")
    peak = float(heat.max())
    if peak <= 0:
        return Found(False, None, (0.0,) * len(LEVELS))
    energy = float(heat[mask].sum(dtype=np.float64) / heat.sum(dtype=np.float64) / mask.mean())
    return Found(
        bool(mask.flat[int(heat.argmax())]), energy, tuple(_overlap(heat >= level * peak, mask) for level in LEVELS)
    )


def likeness(maps: NDArray[np.floating]) -> NDArray[np.float64]:
    """Pearson correlation of each two of k maps (k, h, w), in the order of `numpy.triu_indices(k, 1)`.

    NaN where one of the two is the same everywhere.
    """
    flat = maps.reshape(len(maps), -1).astype(np.float64)
    apart = flat - flat.mean(1, keepdims=True)
    length = np.sqrt((apart**2).sum(1))
    first, second = np.triu_indices(len(maps), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        alike: NDArray[np.float64] = (apart[first] * apart[second]).sum(1) / (length[first] * length[second])
    return alike


def _overlap(lit: NDArray[np.bool_], mask: NDArray[np.bool_]) -> float:
    return float((lit & mask).sum() / (lit | mask).sum())
