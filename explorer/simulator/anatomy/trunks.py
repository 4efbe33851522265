"""The large vessels of a hilum: pulmonary arteries and veins up to where they divide into the segments' vessels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.simulator.anatomy.lines import rounded
from explorer.simulator.chest import Points

Place = tuple[float, float, float]
UPPER, FRONT, BACK, LOWER = (0.42, 0.2, 0.0), (0.62, 0.47, 3.5), (0.56, 0.5, -4.0), (0.55, 0.86, 0.0)
INNER, OUTER = (0.36, 0.88, -2.0), (0.7, 0.8, 1.0)  # halves of the lower part


@dataclass(frozen=True, slots=True)
class Trunk:
    """A large vessel and the part of the lung that it feeds."""

    course: tuple[Place, ...]  # cm outwards, down and forwards of the hilum's middle
    radii: tuple[float, float]  # at its start and end, over the artery's in the hilum
    region: Place  # middle of that part: shares of the lung's half width and height, and depth in cm

    def line(self, hilum: Place, sign: float) -> Points:
        """Points (n, 3) along it in the patient."""
        return rounded(np.array(self.course) * (sign, 1.0, 1.0) + hilum)


# The right artery divides in the mediastinum: one part to the upper lobe, the other on between the lobes, a comma that
# tapers. The left one rides over its bronchus. Veins of the upper lobes lie before and lateral to the arteries, those
# of the lower ones run level to the left atrium, far below (Felson's principles).
ARTERIES = {
    "right": (
        Trunk(((-2.6, -0.5, 1), (-1.2, -0.3, 0), (-0.1, 0.7, 0), (0.3, 2.3, -0.8), (0.6, 4.4, -1.8)), (1, 0.42), INNER),
        Trunk(((0.3, 2.3, -0.8), (0.75, 3.3, -0.8), (1.4, 4.3, -0.6)), (0.58, 0.38), OUTER),
        Trunk(((-1.5, -0.4, 0.4), (-0.9, -1.2, 0.3), (-0.25, -2.3, 0)), (0.62, 0.4), UPPER),
        Trunk(((0.0, 1.0, 0), (0.7, 1.6, 0.8), (1.5, 2.0, 1.7)), (0.5, 0.4), FRONT),
        Trunk(((0.2, 1.7, -0.6), (0.7, 1.9, -1.4), (1.2, 1.8, -2.4)), (0.48, 0.4), BACK),
    ),
    "left": (
        Trunk(
            ((-2.2, 0.3, 1), (-1.0, -0.7, 0), (0.0, -0.4, -0.7), (0.45, 1.3, -1.4), (0.75, 3.6, -2.2)), (1, 0.42), INNER
        ),
        Trunk(((0.45, 1.3, -1.4), (0.95, 2.3, -1.4), (1.6, 3.4, -1.3)), (0.58, 0.38), OUTER),
        Trunk(((-0.9, -0.7, 0), (-0.4, -1.6, 0.1), (0.1, -2.6, 0)), (0.6, 0.38), UPPER),
        Trunk(((0.1, -0.3, -0.7), (1.0, -0.1, 0.2), (1.9, 0.5, 1.4)), (0.5, 0.38), FRONT),
        Trunk(((0.3, 0.6, -1.2), (0.9, 0.6, -2.0), (1.5, 0.6, -2.8)), (0.48, 0.38), BACK),
    ),
}
VEINS = {
    side: (
        Trunk(
            ((-2.3, 3.4, -0.3), (-1.1, 2.6, 0.8), (-0.1, 1.3, 1.6), (0.5, -0.4, 2), (0.75, -1.9, 2)),
            (0.78, 0.32),
            UPPER,
        ),
        Trunk(((-0.9, 2.4, 0.9), (0.3, 2.6, 1.9), (1.5, 3.1, 2.8)), (0.42, 0.34), FRONT),
        Trunk(((-2.4, 4.4, -1.2), (-1.1, 4.5, -1.6), (0.1, 4.9, -2.2), (1.1, 5.7, -2.6)), (0.8, 0.42), LOWER),
    )
    for side in ("right", "left")
}
