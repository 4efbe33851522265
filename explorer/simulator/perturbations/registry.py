"""Lists the physical perturbations and their levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from explorer.simulator.perturbations.breath import BREATH
from explorer.simulator.perturbations.dose import DOSE
from explorer.simulator.perturbations.grid import GRID
from explorer.simulator.perturbations.kernel import KERNEL
from explorer.simulator.perturbations.kind import PhysicalPerturbation
from explorer.simulator.perturbations.patient_rotation import PATIENT_ROTATION
from explorer.simulator.perturbations.processing import OTHER_PROCESSING
from explorer.simulator.perturbations.projection import PROJECTION
from explorer.simulator.perturbations.scatter import SCATTER
from models.perturbations.film import Level

# First the equipment, then the patient.
PHYSICAL: Mapping[str, PhysicalPerturbation] = {
    kind.name: kind for kind in (DOSE, KERNEL, SCATTER, GRID, OTHER_PROCESSING, PATIENT_ROTATION, BREATH, PROJECTION)
}


def physical_levels(kinds: Sequence[str] = tuple(PHYSICAL)) -> tuple[Level, ...]:
    """Return every level of these kinds; kinds without strengths have one."""
    found: list[Level] = []
    for kind in map(PHYSICAL.__getitem__, kinds):
        found += [Level(kind, number, dial) for number, dial in enumerate(kind.dials, 1)] or [Level(kind, 0, 0.0)]
    return tuple(found)
