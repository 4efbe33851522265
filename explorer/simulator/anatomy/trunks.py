"""The large hilar vessels: pulmonary arteries and veins up to their segmental branches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.simulator.anatomy.lines import smooth_line
from explorer.simulator.chest import Points

Point3D = tuple[float, float, float]
UPPER, FRONT, BACK, LOWER = (0.42, 0.2, 0.0), (0.62, 0.47, 3.5), (0.56, 0.5, -4.0), (0.55, 0.86, 0.0)
INNER, OUTER = (0.36, 0.88, -2.0), (0.7, 0.8, 1.0)  # the two parts of the lower region


@dataclass(frozen=True, slots=True)
class Trunk:
    """A large vessel and the part of the lung it supplies."""

    course: tuple[Point3D, ...]  # cm lateral, down and forward of the hilar center
    radii: tuple[float, float]  # at its start and end, relative to the hilar artery
    region: Point3D  # center of that part: fractions of the lung's half width and height, and depth in cm

    def line(self, hilum: Point3D, sign: float) -> Points:
        """Return points (n, 3) along the vessel in patient coordinates."""
        return smooth_line(np.array(self.course) * (sign, 1.0, 1.0) + hilum)


# The right pulmonary artery divides in the mediastinum: one branch to the upper lobe, the other between the lobes,
# tapering like a comma. The left one arches over its bronchus. Upper lobe veins run in front of and lateral to the
# arteries; lower lobe veins run horizontally to the left atrium, far below (Felson's principles).
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
