"""Draws a film of a patient: form, bends, chest, findings, exposure."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.simulator.anatomy.form import Form, form_of
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.film import Equipment, expose
from explorer.simulator.findings import FINDINGS
from explorer.simulator.healthy_chests import healthy_chest, healthy_outline
from explorer.simulator.patient import Patient
from explorer.simulator.request import Request
from models.array_types import Bools, Float32

_COARSE = 48  # px of the healthy film used for scatter and display range


def draw_film(
    patient: Patient, requests: Sequence[Request], size: int, equipment: Equipment | None = None
) -> tuple[Float32, dict[str, Bools]]:
    """Draw a film with resolved requests; returns what `render` returns. By default with the center's equipment."""
    healthy = form_of(patient)
    beam = Beam.aim(patient, healthy, size)
    chest = healthy_chest(bent_form(healthy, patient, requests), beam)
    asked = {request.finding: request for request in requests}
    masks = {
        name: finding.draw(chest, asked[name], draws(patient.seed, "draw", name))
        for name, finding in FINDINGS.items()
        if name in asked
    }
    return expose(chest.attenuation(), coarse_outline(healthy, patient), beam, equipment), masks


def bent_form(healthy: Form, patient: Patient, requests: Sequence[Request]) -> Form:
    """Return the patient's form as resolved requests change it before the chest is built."""
    form = healthy
    for request in requests:
        bend = FINDINGS[request.finding].bend
        if bend is not None:
            form = bend(form, request, draws(patient.seed, "bend", request.finding))
    return form


def coarse_outline(healthy: Form, patient: Patient) -> Float32:
    """Return the healthy patient's attenuation on the small grid from which scatter and display range come."""
    return healthy_outline(healthy, Beam.aim(patient, healthy, _COARSE))
