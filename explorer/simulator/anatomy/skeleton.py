"""Draw the bones in the beam: spine, ribs and shoulder girdle."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.cartilage import cartilage
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.head import jaw
from explorer.simulator.anatomy.ribs import rib_cage
from explorer.simulator.anatomy.shoulders import shoulder_girdle
from explorer.simulator.anatomy.spine import spinal_column
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import noise_field
from models.array_types import Float32


def skeleton(
    form: Form, beam: Beam, vertebrae: Points, walls: dict[str, Points]
) -> tuple[Float32, dict[str, list[Points]], dict[str, Points]]:
    """Return the path (size, size) through normally mineralized bone, and the courses of ribs 1 to 10 and the
    clavicles.

    The ribs follow the inner side walls of the chest (`Marks.walls`), so that the rib cage fits the lungs.
    """
    bone, ribs = rib_cage(form, beam, vertebrae, walls)
    bone += cartilage(beam, ribs)
    girdle, clavicles = shoulder_girdle(form, beam)
    bone += girdle
    bone += spinal_column(form, beam, vertebrae)
    bone += jaw(form, beam)
    random = draws(beam.patient.seed, "trabeculae")
    bone *= 1 + np.float32(0.045) * noise_field(random, beam, 0.18) + np.float32(0.05) * noise_field(random, beam, 0.7)
    return bone, ribs, clavicles
