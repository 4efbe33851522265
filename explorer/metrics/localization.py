"""Measures whether a heat map finds its target: the map compared with the finding's mask, in NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

HEAT_LEVELS: tuple[float, ...] = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)  # shares of a map's maximum

ALIKE_CORRELATION = 0.5  # from this median correlation on, maps of two findings are too similar to tell apart


@dataclass(frozen=True, slots=True)
class MapAgreement:
    """How well a map agrees with a mask.

    `pointing`: the maximum lies in the mask (pointing game, Zhang et al., ECCV 2016). `energy`: the share of the map's
    heat in the mask, divided by the mask's share of the film; 1 is chance, None for a map without heat. `overlap`:
    intersection over union of the mask and the part of the map at or above each of `HEAT_LEVELS`.
    """

    pointing: bool
    energy: float | None
    overlap: tuple[float, ...]


def map_agreement(heat: NDArray[np.floating], mask: NDArray[np.bool_]) -> MapAgreement:
    """Compare a map (h, w), nonnegative, with a mask (h, w). A map without heat finds nothing. Raises ValueError."""
    if heat.shape != mask.shape or not mask.any():
        raise ValueError(f"The map {heat.shape} and the mask {mask.shape} must have one shape, the mask some pixels.")
    peak = float(heat.max())
    if peak <= 0:
        return MapAgreement(False, None, (0.0,) * len(HEAT_LEVELS))
    energy = float(heat[mask].sum(dtype=np.float64) / heat.sum(dtype=np.float64) / mask.mean())
    return MapAgreement(
        bool(mask.flat[int(heat.argmax())]),
        energy,
        tuple(_overlap(heat >= level * peak, mask) for level in HEAT_LEVELS),
    )


def map_correlations(maps: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the Pearson correlation of each pair of k maps (k, h, w), in the order of `numpy.triu_indices(k, 1)`.

    NaN if one of the two is constant.
    """
    flat = maps.reshape(len(maps), -1).astype(np.float64)
    centered = flat - flat.mean(1, keepdims=True)
    length = np.sqrt((centered**2).sum(1))
    first, second = np.triu_indices(len(maps), 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        correlations: NDArray[np.float64] = (centered[first] * centered[second]).sum(1) / (
            length[first] * length[second]
        )
    return correlations


def _overlap(heated: NDArray[np.bool_], mask: NDArray[np.bool_]) -> float:
    return float((heated & mask).sum() / (heated | mask).sum())
