"""A heat map over a film, drawn as the viewer draws it: one scale, magma, nothing where there is no heat."""

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

# magma (matplotlib, CC0) at 33 steps, those of the viewer's heat.js.
MAGMA = (
    "0000040303120a0822130d341d114729115a36106b440f7651127c5d177f6a1c81762181832681902a819c2e7faa337db73779c43c75d0416f"
    "dc4869e75263ef5d5ef56b5cf9795dfc8961fd9869fea772feb67cfec488fed395fde2a3fcf0b2fcfdbf"
)
OPACITY = 0.6  # of the largest value, as the viewer begins


@dataclass(frozen=True, slots=True, eq=False)
class ShownMap:
    """The map of a finding: values (g, g) over the square input that the film lies in, as `box` says.

    `maximum` is the end of the scale, in `unit`; `fixed` where it is the same for all films of the model.
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
        """The scale, in words."""
        end = f"0 to {fixed(self.maximum, 1)} {self.unit}"
        cells = f"{self.values.shape[0]} x {self.values.shape[1]} cells"
        return ", ".join(filter(None, [end, "" if self.fixed else "this film only", self.method, cells]))

    def over(self, gray: NDArray[np.uint8]) -> Colors:
        """The film's grays (h, w) with the map over them: (h, w, 3)."""
        share = shares(self.values, self.box, self.maximum, (gray.shape[0], gray.shape[1]))
        return blended(np.repeat(gray[..., None], 3, axis=2), share)


def shown_map(finding: str, values: NDArray[np.float32], box: InputBox, card: Card) -> ShownMap:
    """The map of a finding on the scale that its model's maps have."""
    maximum = card.heat_maximum or max(float(values.max()), 1e-6)
    unit, method = map_unit(card.heat_method), method_words(card.heat_method)
    return ShownMap(finding, values, box, maximum, bool(card.heat_maximum), unit, method)


def shares(values: NDArray[np.float32], box: InputBox, maximum: float, size: tuple[int, int]) -> Float64:
    """A map (g, g) over a film of `size` (h, w), as shares of its scale's end: (h, w) in [0, 1]."""
    down, across = (cell_weights(box, side, pixels, values.shape[side]) for side, pixels in enumerate(size))
    share: Float64 = np.clip(down @ values @ across.T / maximum, 0, 1)
    return share


def magma(share: Float64) -> Float64:
    """Colors (..., 3), 0 to 255, of shares in [0, 1]."""
    stops = np.frombuffer(bytes.fromhex(MAGMA), np.uint8).reshape(-1, 3).astype(np.float64)
    place = np.clip(share, 0, 1) * (len(stops) - 1)
    below = np.minimum(place.astype(int), len(stops) - 2)
    part = (place - below)[..., None]
    colors: Float64 = stops[below] * (1 - part) + stops[below + 1] * part
    return colors


def blended(under: Colors, share: Float64) -> Colors:
    """Colors (h, w, 3) with those of shares (h, w) over them, the denser the larger the share."""
    alpha = OPACITY * share[..., None]
    mixed: Colors = np.rint(under * (1 - alpha) + magma(share) * alpha).astype(np.uint8)
    return mixed
