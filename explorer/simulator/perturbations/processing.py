"""Processes the film as the simulator's other center would."""

from __future__ import annotations

from dataclasses import replace

from explorer.simulator.perturbations.kind import Exposure, physical


def process_elsewhere(exposure: Exposure, dial: float) -> Exposure:
    """Take the other center's gray curve, edge enhancement and compression; the detector stays."""
    from explorer.simulator.film import PROCESSING  # brings SciPy

    there = PROCESSING["B" if exposure.patient.center == "A" else "A"]
    return replace(exposure, equipment=replace(exposure.equipment, processing=there))


OTHER_PROCESSING = physical(
    "processing",
    "The other center's processing",
    "the two centers of the simulator",
    process_elsewhere,
)
