"""The film on which a new model is tried: a simulated one without findings, the same each time."""

from __future__ import annotations

from explorer.simulator.render import render
from models.radiograph import Radiograph


def trial_film() -> Radiograph:
    """A simulated frontal film of a patient without findings."""
    return Radiograph.from_pixels(render(1, ["Normal"], "A")[0], view="PA")
