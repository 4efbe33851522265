"""What a finding changes in a simulated patient, apart from the film: for putting it into another film."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy_masks import lung_fields
from explorer.simulator.beam import Beam
from explorer.simulator.detector import scatter_on_film
from explorer.simulator.drawing import coarse_outline
from explorer.simulator.draws import draws
from explorer.simulator.film import equipment_of, relative_density
from explorer.simulator.findings import FINDINGS
from explorer.simulator.healthy_chests import healthy_chest
from explorer.simulator.patient import Patient
from explorer.simulator.request import SIDES, Request, WrongRequest, settle
from models.array_types import Bools, Float32


@dataclass(frozen=True, slots=True)
class FindingChange:
    """The change of density by a finding in one lung, and where that lung is. All (size, size)."""

    density: Float32  # 1 is the difference between lung and mediastinum; positive is denser
    after: Float32  # the patient's density with the finding; 0 is lung, 1 mediastinum
    lung: Bools  # lung field of the finding's side, without the finding, as readers outline it
    mask: Bools  # where the finding can be seen


def finding_change(patient: Patient, request: Request, size: int = 512) -> FindingChange:
    """Return what a finding of one side changes in a patient without other findings.

    Raises WrongRequest if the finding has no side, is on both, or changes the form of the whole chest.
    """
    finding = FINDINGS.get(request.finding)
    if finding is None or finding.bend is not None or not SIDES[request.finding]:
        raise WrongRequest(
            f"{request.finding} cannot be taken out of a simulated patient", "Name a finding of one lung, such as Mass."
        )
    (asked,) = settle(patient.seed, [request], patient.drawing)
    if asked.side not in ("right", "left"):
        raise WrongRequest(f"{request.finding} on both sides is two findings", "Choose right or left.")
    form = form_of(patient)
    beam = Beam.aim(patient, form, size)
    chest = healthy_chest(form, beam)
    healthy, lung = chest.attenuation(), lung_fields(chest)[asked.side]
    mask = finding.draw(chest, asked, draws(patient.seed, "draw", request.finding))
    coarse, equipment = coarse_outline(form, patient), equipment_of(patient.center)
    strayed = scatter_on_film(coarse, beam, equipment.detector)
    before, after = (
        relative_density(-np.log(np.exp(-each) + strayed), coarse, beam, equipment)
        for each in (healthy, chest.attenuation())
    )
    return FindingChange(after - before, after, lung, mask)


def diameter(patient: Patient, change: FindingChange) -> float:
    """Return the diameter, in cm on the patient's film, of a circle as large as the mask of a change in the patient."""
    pixel = Beam.aim(patient, form_of(patient), len(change.mask)).pixel
    return float(2 * np.sqrt(change.mask.sum() / np.pi) * pixel)
