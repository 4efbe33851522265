"""Draw the healthy patient without detail, for the scatter and the display range."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.body import body
from explorer.simulator.anatomy.cage import chest_cavity as cavity_of
from explorer.simulator.anatomy.diaphragm import below_diaphragm
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.mediastinum import mediastinum
from explorer.simulator.beam import Beam
from explorer.simulator.chest import WATER
from models.array_types import Float32


def rough_attenuation(form: Form, beam: Beam) -> Float32:
    """Return the attenuation (size, size) of soft tissue and lungs, without bones, vessels, airways or gas."""
    cavity = cavity_of(form, beam)
    organs, behind = mediastinum(form, beam, below_diaphragm(form, beam, cavity))
    lung = (cavity - organs - behind).clip(0)
    return np.asarray(WATER * (body(form, beam) - (1 - np.float32(form.lung)) * lung), np.float32)
