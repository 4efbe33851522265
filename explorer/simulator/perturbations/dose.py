"""Lowers the dose: fewer quanta, so more noise."""

from __future__ import annotations

from explorer.simulator.perturbations.kind import Exposure, physical, with_detector


def lower_dose(exposure: Exposure, dial: float) -> Exposure:
    """Expose with `dial` times as many quanta; processing scales the film to the same grays."""
    return with_detector(exposure, quanta=exposure.equipment.detector.quanta * dial)


DOSE = physical(
    "dose",
    "Lower dose",
    "Poisson statistics of quanta; a deviation index of -3 is half the dose: IEC 62494-1",
    lower_dose,
    "factor of the dose",
    (0.5, 0.25, 0.125, 0.0625, 0.03125),
)
