"""The chest as layers of path lengths, which findings change, and its total attenuation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.simulator.anatomy.form import Form
from explorer.simulator.beam import Beam
from models.array_types import Bools, Float32

Points = NDArray[np.float64]  # (n, 3): x, y, z in cm

# Attenuation per cm in excess of the tissue replaced, at about 120 kV filtered by a patient.
WATER, BONE, METAL = 0.2, 0.28, 6.0


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Where structures are, for placing findings; in patient coordinates (cm), see Beam.

    Keys "right" and "left" are the patient's sides. Points include their depth.
    """

    lungs: dict[str, Bools]  # (size, size) aerated lung on the film, by side
    domes: dict[str, Points]  # along the top of each hemidiaphragm, from the middle to the side
    walls: dict[str, Points]  # the inner side wall of the chest, from the apex down
    hila: dict[str, tuple[float, float, float]]
    carina: tuple[float, float, float]
    vertebrae: Points  # centers of T1 .. T12
    ribs: dict[str, list[Points]]  # posterior, then lateral course of ribs 1 .. 10
    clavicles: dict[str, Points]  # from the sternal end outward
    aorta: Points  # from the root along the arch and down
    heart: tuple[float, float, float, float]  # the heart's right, top, left and bottom borders in the film plane
    vessels: dict[str, list[Points]]  # branches from the hilum outward
    bronchi: dict[str, list[Points]]


@dataclass(slots=True)
class Chest:
    """Path lengths (size, size) in cm; findings change them in place."""

    beam: Beam
    form: Form
    marks: Landmarks
    soft: Float32  # tissue outside aerated lung
    lung: Float32  # aerated lung; subtract what is filled, add what is overinflated
    density: Float32  # density of that lung relative to water, including texture
    vessels: Float32  # vessels in the lung
    bone: Float32
    metal: Float32
    gas: Float32  # gas replacing soft tissue

    def attenuation(self) -> Float32:
        """Return the line integral (size, size) of the attenuation, dimensionless."""
        water = self.soft - self.gas + self.density * self.lung + (1 - np.float32(self.form.lung)) * self.vessels
        return np.asarray(WATER * water + BONE * self.bone + METAL * self.metal, np.float32)

    def fill(self, share: Float32) -> None:
        """Fill a share (0 .. 1) of each ray's lung with water: consolidation, fluid, collapse; hides vessels."""
        share = share.clip(0, 1)
        filled = share * self.lung
        self.soft += filled
        self.lung -= filled
        self.vessels *= 1 - share
