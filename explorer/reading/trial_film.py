"""The simulated film without findings on which new models are tried."""

from __future__ import annotations

from explorer.simulator.render import render
from models.radiograph import Radiograph


def trial_film() -> Radiograph:
    """Render the trial film, which is always the same."""
    return Radiograph.from_pixels(render(1, ["Normal"], "A")[0], view="PA")
