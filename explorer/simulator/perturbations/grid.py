"""Moves the anti-scatter grid off center, which darkens one side less than the other."""

from __future__ import annotations

from explorer.simulator.perturbations.kind import Exposure, physical, with_detector


def decenter(exposure: Exposure, dial: float) -> Exposure:
    """Let the grid absorb up to `dial` of the signal at one side; side and degree are the patient's own."""
    return with_detector(exposure, cutoff=max(dial, exposure.equipment.detector.cutoff))


GRID = physical(
    "grid",
    "Grid off center",
    "grid cutoff: Bushberg et al., The Essential Physics of Medical Imaging, 3rd edition, section 7.11",
    decenter,
    "largest share of the signal lost at one side",
    (0.1, 0.2, 0.3, 0.4, 0.5),
)
