"""Turns the patient about the long axis, further to the side to which they are turned already."""

from __future__ import annotations

import math
from dataclasses import replace

from explorer.simulator.perturbations.kind import Exposure, physical


def turn(exposure: Exposure, dial: float) -> Exposure:
    """Turn the trunk by `dial` degrees: structures in front move to one side, those behind to the other."""
    own = exposure.patient.rotation
    turned = own + math.copysign(math.radians(dial), own)
    return replace(exposure, patient=replace(exposure.patient, rotation=turned))


PATIENT_ROTATION = physical(
    "patient-rotation",
    "Patient rotated",
    "rotation of the trunk against the detector",
    turn,
    "degrees about the long axis",
    (2.0, 4.0, 6.0, 8.0, 10.0),
)
