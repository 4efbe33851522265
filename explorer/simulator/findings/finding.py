"""The interface of a finding to the simulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.simulator.anatomy.form import Form
from explorer.simulator.chest import Chest
from explorer.simulator.request import Request
from models.array_types import Bools

Bend = Callable[[Form, Request, np.random.Generator], Form]
Draw = Callable[[Chest, Request, np.random.Generator], Bools]


@dataclass(frozen=True, slots=True)
class DrawnFinding:
    """The two functions that draw a finding.

    `bend` changes the patient's form before the chest is built. `draw` changes the layers and returns the mask. Both
    get a request with known side and severity, and the finding's own random generator.
    """

    draw: Draw
    bend: Bend | None = None
