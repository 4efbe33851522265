"""What a finding changes in a simulated patient, apart from the film: for putting it into another film."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from explorer.simulator.anatomy.form import form_of
from explorer.simulator.anatomy_masks import lung_fields
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Chest
from explorer.simulator.detector import scatter_on_film
from explorer.simulator.drawing import coarse_outline
from explorer.simulator.draws import draws
from explorer.simulator.film import Equipment, equipment_of, relative_density
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
    healthy = _healthy_patient(patient, size)
    chest = healthy_chest(form_of(patient), healthy.detector.beam)
    mask = finding.draw(chest, asked, draws(patient.seed, "draw", request.finding))
    after = healthy.detector.density(chest)
    return FindingChange(after - healthy.density, after, healthy.lungs[asked.side], mask)


@dataclass(frozen=True, slots=True, eq=False)
class _DetectorBehind:
    """The detector behind a patient, with the scatter of the patient without findings."""

    beam: Beam
    equipment: Equipment
    coarse: Float32
    strayed: Float32

    def density(self, chest: Chest) -> Float32:
        """Return the relative density (size, size) of a chest."""
        through = np.exp(-chest.attenuation()) + self.strayed
        return relative_density(-np.log(through), self.coarse, self.beam, self.equipment)


@dataclass(frozen=True, slots=True, eq=False)
class _HealthyPatient:
    """A patient without findings; its arrays (size, size) are shared, so do not modify them."""

    lungs: Mapping[str, Bools]  # by side
    density: Float32
    detector: _DetectorBehind


@lru_cache(maxsize=4)  # 3 MB each; all severities of a finding change the same patient
def _healthy_patient(patient: Patient, size: int) -> _HealthyPatient:
    form = form_of(patient)
    beam = Beam.aim(patient, form, size)
    chest = healthy_chest(form, beam)
    coarse, equipment = coarse_outline(form, patient), equipment_of(patient.center)
    detector = _DetectorBehind(beam, equipment, coarse, scatter_on_film(coarse, beam, equipment.detector))
    return _HealthyPatient(lung_fields(chest), detector.density(chest), detector)


def diameter(patient: Patient, change: FindingChange) -> float:
    """Return the diameter, in cm on the patient's film, of a circle as large as the mask of a change in the patient."""
    pixel = Beam.aim(patient, form_of(patient), len(change.mask)).pixel
    return float(2 * np.sqrt(change.mask.sum() / np.pi) * pixel)
