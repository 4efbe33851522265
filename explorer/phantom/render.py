"""A film of the phantom: patient, form, bends, chest, findings, film."""

from __future__ import annotations

from collections.abc import Sequence

from explorer.phantom.anatomy.form import form_of
from explorer.phantom.beam import Beam, Floats
from explorer.phantom.chest import Bools
from explorer.phantom.draws import draws
from explorer.phantom.film import expose
from explorer.phantom.findings import FINDINGS
from explorer.phantom.healthy_chests import chest_of, outline_of
from explorer.phantom.patient import describe
from explorer.phantom.request import Center, Request, WrongRequest, settle

SMALLEST, LARGEST = 64, 2048
_COARSE = 48  # px of the healthy film that scatter and display range come from


def render(
    seed: int, findings: Sequence[str | Request], center: Center, size: int = 512
) -> tuple[Floats, dict[str, Bools]]:
    """A simulated frontal chest radiograph and where its findings are.

    Returns pixels (size, size) in [0, 1], white is dense, and for each finding asked for a mask (size, size). The same
    arguments give the same bytes on one platform; patient, anatomy and noise depend on seed and center alone. Raises
    WrongRequest.
    """
    if isinstance(size, bool) or not SMALLEST <= size <= LARGEST:
        raise WrongRequest(f"{size!r} is not a film size", f"Choose {SMALLEST} to {LARGEST} pixels a side.")
    patient = describe(seed, center)
    requests = settle(patient.seed, findings)
    healthy = form_of(patient)
    form = healthy
    for request in requests:
        bend = FINDINGS[request.finding].bend
        if bend is not None:
            form = bend(form, request, draws(patient.seed, "bend", request.finding))
    beam = Beam.aim(patient, healthy, int(size))
    chest = chest_of(form, beam)
    asked = {request.finding: request for request in requests}
    masks = {
        name: finding.draw(chest, asked[name], draws(patient.seed, "draw", name))
        for name, finding in FINDINGS.items()
        if name in asked
    }
    coarse = outline_of(healthy, Beam.aim(patient, healthy, _COARSE))
    return expose(chest.attenuation(), coarse, beam), masks
