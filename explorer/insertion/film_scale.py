"""From a film's grays to densities and back, by the grays of its own lungs and mediastinum.

Films differ in how a workstation shows density. Two grays are measured on the film itself; between them and beyond, the
curve is the simulator's typical one. Beyond them it ends at black and white, unless that takes more than 1.5 times the
contrast between them: on a pale film, air is no black stripe.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from explorer.simulator.film import typical_grays
from models.array_types import Bools, Float32
from models.refusal import Refusal

LUNG, MEDIASTINUM = 0.0, 1.0  # densities, as the simulator scales them
_DENSITIES = np.linspace(-1.2, 2.6, 400)
_GRAYS = typical_grays(_DENSITIES)
_ANCHORS = [_GRAYS[0], *(float(typical_grays(np.array(each))) for each in (LUNG, MEDIASTINUM)), _GRAYS[-1]]
_LUNG_SHARE = 0.35  # quantile of the lungs' grays: between the ribs
_MEDIASTINUM_SHARE = 0.9  # quantile of the grays in the lungs' box
_MOST_CONTRAST = 1.5  # beyond lung and mediastinum, relative to that between them
_LEAST_CONTRAST = 0.08  # between lung and mediastinum


class NoContrast(Refusal):
    """The lungs of a film are not darker than its mediastinum."""


@dataclass(frozen=True, slots=True)
class FilmScale:
    """The grays of lung and mediastinum on a film, of which 0 is black and 1 white."""

    lung: float
    mediastinum: float

    @classmethod
    def of(cls, film: Float32, lungs: Bools) -> Self:
        """Measure a film (h, w) with its lungs (h, w). Raises NoContrast."""
        rows, columns = (np.flatnonzero(lungs.any(axis)) for axis in (1, 0))
        if not len(rows):
            raise NoContrast("No lung is outlined on this film", "Choose a frontal film whose lungs can be seen.")
        box = film[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
        lung, mediastinum = float(np.quantile(film[lungs], _LUNG_SHARE)), float(np.quantile(box, _MEDIASTINUM_SHARE))
        if not 0 < lung < mediastinum - _LEAST_CONTRAST or mediastinum >= 1:
            raise NoContrast(
                "The lungs of this film are hardly darker than its mediastinum",
                "A finding cannot be put into it. Choose a film with more contrast.",
            )
        return cls(lung, mediastinum)

    @property
    def _own(self) -> list[float]:
        darkest, lung, mediastinum, brightest = _ANCHORS
        most = _MOST_CONTRAST * (self.mediastinum - self.lung) / (mediastinum - lung)
        black, white = self.lung - most * (lung - darkest), self.mediastinum + most * (brightest - mediastinum)
        return [max(black, 0.0), self.lung, self.mediastinum, min(white, 1.0)]

    def densities(self, film: Float32) -> Float32:
        """Return the density of each pixel, scaled from lung (0) to mediastinum (1), within what the curve shows."""
        typical = np.interp(film, self._own, _ANCHORS)
        return np.asarray(np.interp(typical, _GRAYS, _DENSITIES), np.float32)

    def grays(self, densities: Float32) -> Float32:
        """Return the film with these densities: the inverse of `densities`."""
        typical = np.interp(densities, _DENSITIES, _GRAYS)
        return np.asarray(np.interp(typical, _ANCHORS, self._own), np.float32)
