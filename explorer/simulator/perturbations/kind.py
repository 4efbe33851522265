"""What a physical perturbation is: another exposure of the same simulated patient."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from explorer.simulator.patient import Patient
from models.array_types import Float32
from models.perturbations.kind import Perturbation
from models.refusal import Refusal

if TYPE_CHECKING:
    from explorer.simulator.film import Equipment  # brings SciPy, which names and levels do not need


@dataclass(frozen=True, slots=True)
class Exposure:
    """A patient as they stand before the detector, and the equipment."""

    patient: Patient
    equipment: Equipment


ExposureChange = Callable[[Exposure, float], Exposure]  # the exposure and the dial


class NeedsPatient(Refusal):
    """A physical perturbation of a film that is not simulated."""


@dataclass(frozen=True, slots=True)
class PhysicalPerturbation(Perturbation):
    """A kind whose film is drawn again. `dials` are those of the five strengths; none for a kind that is on or off."""

    expose: ExposureChange = lambda exposure, dial: exposure
    dials: tuple[float, ...] = ()


def physical(
    name: str, title: str, source: str, expose: ExposureChange, dial: str = "", dials: tuple[float, ...] = ()
) -> PhysicalPerturbation:
    """Return a kind; `dial` says what the numbers `dials` mean."""
    least, most = (dials[0], dials[-1]) if dials else (0.0, 1.0)
    return PhysicalPerturbation(name, title, source, _refuse_pixels, dial, least, most, expose=expose, dials=dials)


def with_detector(exposure: Exposure, **changes: float) -> Exposure:
    """Return the exposure with changed facts of its detector."""
    detector = replace(exposure.equipment.detector, **changes)
    return replace(exposure, equipment=replace(exposure.equipment, detector=detector))


def _refuse_pixels(pixels: Float32, dial: float, random: np.random.Generator) -> Float32:
    """Raise NeedsPatient: pixels alone do not tell what the patient would look like."""
    raise NeedsPatient(
        "Only a simulated film can be exposed again", "Choose a simulated cohort, or a perturbation of pixels."
    )
