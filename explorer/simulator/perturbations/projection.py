"""Exposes the patient from the other side: AP instead of PA, or PA instead of AP."""

from __future__ import annotations

from dataclasses import replace

from explorer.simulator.perturbations.kind import Exposure, physical


def other_projection(exposure: Exposure, dial: float) -> Exposure:
    """Exchange PA and AP: distance, magnification of heart and field change. The patient is upright in the new film."""
    patient = exposure.patient
    view = "AP" if patient.view == "PA" else "PA"
    return replace(exposure, patient=replace(patient, view=view, sits=view == "AP"))


PROJECTION = physical(
    "projection",
    "The other projection",
    "geometry of PA and AP films: Bushberg et al., The Essential Physics of Medical Imaging, 3rd edition, section 7.1",
    other_projection,
)
