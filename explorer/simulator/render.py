"""Renders simulated films; separate, so that code that only names films need not import the drawing modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.simulator.patient import describe
from explorer.simulator.request import Center, Request, WrongRequest, settle
from explorer.simulator.version import FIRST_DRAWING

if TYPE_CHECKING:
    from models.array_types import Bools, Float32

MIN_FILM_SIZE, MAX_FILM_SIZE = 64, 2048


def render(
    seed: int, findings: Sequence[str | Request], center: Center, size: int = 512, drawing: int = FIRST_DRAWING
) -> tuple[Float32, dict[str, Bools]]:
    """Render a simulated frontal chest radiograph and the masks of its findings.

    Returns pixels (size, size) in [0, 1], dense is white, and a mask (size, size) for each requested finding. On one
    platform, equal arguments give equal bytes; patient, anatomy and noise depend only on seed, center and `drawing`.
    Raises WrongRequest.
    """
    if isinstance(size, bool) or not MIN_FILM_SIZE <= size <= MAX_FILM_SIZE:
        raise WrongRequest(
            f"{size!r} is not a film size", f"Choose {MIN_FILM_SIZE} to {MAX_FILM_SIZE} pixels per side."
        )
    patient = describe(seed, center, drawing)
    requests = settle(patient.seed, findings, drawing)
    from explorer.simulator.drawing import draw_film  # brings SciPy, half of the time that a command takes to start

    return draw_film(patient, requests, int(size))
