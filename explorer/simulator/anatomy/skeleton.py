"""The bones in the beam, of spine, ribs and shoulders together."""

from __future__ import annotations

import numpy as np

from explorer.simulator.anatomy.cartilage import cartilage
from explorer.simulator.anatomy.form import Form
from explorer.simulator.anatomy.head import jaw
from explorer.simulator.anatomy.ribs import rib_cage
from explorer.simulator.anatomy.shoulders import shoulder_girdle
from explorer.simulator.anatomy.spine import column
from explorer.simulator.beam import Beam
from explorer.simulator.chest import Points
from explorer.simulator.draws import draws
from explorer.simulator.shapes import field
from models.array_types import Float32


def skeleton(
    form: Form, beam: Beam, vertebrae: Points, walls: dict[str, Points]
) -> tuple[Float32, dict[str, list[Points]], dict[str, Points]]:
    """Path (size, size) through bone of normal mineral, the courses of ribs 1 to 10 and of the clavicles.

    The ribs lie on the chest's inner side walls (Marks.walls), so that the cage follows the lungs it holds.
    """
    bone, ribs = rib_cage(form, beam, vertebrae, walls)
    bone += cartilage(beam, ribs)
    girdle, clavicles = shoulder_girdle(form, beam)
    bone += girdle
    bone += column(form, beam, vertebrae)
    bone += jaw(form, beam)
    random = draws(beam.patient.seed, "trabeculae")
    bone *= 1 + np.float32(0.045) * field(random, beam, 0.18) + np.float32(0.05) * field(random, beam, 0.7)
    return bone, ribs, clavicles
