"""Renders simulated films; separate, so that code that only names films need not import the drawing modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.simulator.patient import describe
from explorer.simulator.request import Center, Request, WrongRequest, settle
from explorer.simulator.version import FIRST

if TYPE_CHECKING:
    from models.array_types import Bools, Float32

SMALLEST, LARGEST = 64, 2048


def render(
    seed: int, findings: Sequence[str | Request], center: Center, size: int = 512, drawing: int = FIRST
) -> tuple[Float32, dict[str, Bools]]:
    """Render a simulated frontal chest radiograph and the masks of its findings.

    Returns pixels (size, size) in [0, 1], dense is white, and a mask (size, size) for each requested finding. On one
    platform, equal arguments give equal bytes; patient, anatomy and noise depend only on seed, center and `drawing`.
    Raises WrongRequest.
    """
    if isinstance(size, bool) or not SMALLEST <= size <= LARGEST:
        raise WrongRequest(f"{size!r} is not a film size", f"Choose {SMALLEST} to {LARGEST} pixels per side.")
    patient = describe(seed, center, drawing)
    requests = settle(patient.seed, findings, drawing)
    from explorer.simulator.drawing import drawn  # brings SciPy, half of the time that a command takes to start

    return drawn(patient, requests, int(size))
