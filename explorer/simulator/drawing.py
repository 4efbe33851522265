"""Draws a film of a patient: form, bends, chest, findings, exposure."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.simulator.anatomy.form import form_of
from explorer.simulator.beam import Beam
from explorer.simulator.draws import draws
from explorer.simulator.film import expose
from explorer.simulator.findings import FINDINGS
from explorer.simulator.healthy_chests import healthy_chest, healthy_outline
from explorer.simulator.patient import Patient
from explorer.simulator.request import Request
from models.array_types import Bools, Float32

_COARSE = 48  # px of the healthy film used for scatter and display range


def draw_film(patient: Patient, requests: Sequence[Request], size: int) -> tuple[Float32, dict[str, Bools]]:
    """Draw a film with resolved requests; returns what `render` returns."""
    healthy = form_of(patient)
    form = healthy
    for request in requests:
        bend = FINDINGS[request.finding].bend
        if bend is not None:
            form = bend(form, request, draws(patient.seed, "bend", request.finding))
    beam = Beam.aim(patient, healthy, size)
    chest = healthy_chest(form, beam)
    asked = {request.finding: request for request in requests}
    masks = {
        name: finding.draw(chest, asked[name], draws(patient.seed, "draw", name))
        for name, finding in FINDINGS.items()
        if name in asked
    }
    coarse = healthy_outline(healthy, Beam.aim(patient, healthy, _COARSE))
    return expose(chest.attenuation(), coarse, beam), masks
