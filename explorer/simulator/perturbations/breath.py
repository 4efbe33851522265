"""Lets the patient breathe in less deeply: higher diaphragm, crowded vessels, broader heart."""

from __future__ import annotations

from dataclasses import replace

from explorer.simulator.perturbations.kind import Exposure, physical


def breathe_less(exposure: Exposure, dial: float) -> Exposure:
    """Take `dial` times the patient's own inspiration; anatomy and field follow."""
    patient = exposure.patient
    return replace(exposure, patient=replace(patient, inspiration=patient.inspiration * dial))


BREATH = physical(
    "breath",
    "Shallower breath",
    "height of the lungs at less than full inspiration",
    breathe_less,
    "factor of the inspiration",
    (0.95, 0.9, 0.85, 0.8, 0.75),
)
