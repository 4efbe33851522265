"""Draws a heat map over a film as the viewer does: one scale, magma, transparent at zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.core.figures import fixed
from explorer.reading.heat_share import cell_weights
from explorer.reading.map_worth import map_unit, method_words
from explorer.reading.reader import InputBox
from models.array_types import Float64
from models.cards.card import Card

Colors = NDArray[np.uint8]

# magma (matplotlib, CC0) in 33 steps, as in the viewer's heat.js
MAGMA = (
    "0000040303120a0822130d341d114729115a36106b440f7651127c5d177f6a1c81762181832681902a819c2e7faa337db73779c43c75d0416f"
    "dc4869e75263ef5d5ef56b5cf9795dfc8961fd9869fea772feb67cfec488fed395fde2a3fcf0b2fcfdbf"
)
OPACITY = 0.6  # at the scale's maximum; the viewer's default


@dataclass(frozen=True, slots=True, eq=False)
class ShownMap:
    """A finding's map: values (g, g) over the model's square input; `box` locates the film in that input.

    `maximum` is the top of the scale, in `unit`; `fixed` says whether it is the same for all films of the model.
    """

    finding: str
    values: NDArray[np.float32]
    box: InputBox
    maximum: float
    fixed: bool
    unit: str
    method: str

    @property
    def scale_words(self) -> str:
        """The scale's range, unit, method and grid."""
        end = f"0 to {fixed(self.maximum, 1)} {self.unit}"
        cells = f"{self.values.shape[0]} x {self.values.shape[1]} cells"
        return ", ".join(filter(None, [end, "" if self.fixed else "this film only", self.method, cells]))

    def over(self, gray: NDArray[np.uint8]) -> Colors:
        """Return the film's grays (h, w) overlaid with the map, as (h, w, 3)."""
        share = shares(self.values, self.box, self.maximum, (gray.shape[0], gray.shape[1]))
        return blended(np.repeat(gray[..., None], 3, axis=2), share)


def shown_map(finding: str, values: NDArray[np.float32], box: InputBox, card: Card) -> ShownMap:
    """Return a finding's map on its model's scale."""
    maximum = card.heat_maximum or max(float(values.max()), 1e-6)
    unit, method = map_unit(card.heat_method), method_words(card.heat_method)
    return ShownMap(finding, values, box, maximum, bool(card.heat_maximum), unit, method)


def shares(values: NDArray[np.float32], box: InputBox, maximum: float, size: tuple[int, int]) -> Float64:
    """Resample a map (g, g) to a film of `size` (h, w), as fractions of the scale's maximum: (h, w) in [0, 1]."""
    down, across = (cell_weights(box, side, pixels, values.shape[side]) for side, pixels in enumerate(size))
    share: Float64 = np.clip(down @ values @ across.T / maximum, 0, 1)
    return share


def magma(share: Float64) -> Float64:
    """Return colors (..., 3) in 0 to 255 for values in [0, 1]."""
    stops = np.frombuffer(bytes.fromhex(MAGMA), np.uint8).reshape(-1, 3).astype(np.float64)
    place = np.clip(share, 0, 1) * (len(stops) - 1)
    below = np.minimum(place.astype(int), len(stops) - 2)
    part = (place - below)[..., None]
    colors: Float64 = stops[below] * (1 - part) + stops[below + 1] * part
    return colors


def blended(under: Colors, share: Float64) -> Colors:
    """Blend magma colors of `share` (h, w) over the colors `under` (h, w, 3); opacity grows with the share."""
    alpha = OPACITY * share[..., None]
    mixed: Colors = np.rint(under * (1 - alpha) + magma(share) * alpha).astype(np.uint8)
    return mixed
