"""A film of the phantom; whoever only speaks of films does not import what draws them."""

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
    """A simulated frontal chest radiograph and where its findings are.

    Returns pixels (size, size) in [0, 1], white is dense, and for each finding asked for a mask (size, size). The same
    arguments give the same bytes on one platform; patient, anatomy and noise depend on seed, center and the way of
    `drawing` alone. Raises WrongRequest.
    """
    if isinstance(size, bool) or not SMALLEST <= size <= LARGEST:
        raise WrongRequest(f"{size!r} is not a film size", f"Choose {SMALLEST} to {LARGEST} pixels a side.")
    patient = describe(seed, center, drawing)
    requests = settle(patient.seed, findings, drawing)
    from explorer.simulator.drawing import drawn  # brings SciPy, half of the time that a command takes to start

    return drawn(patient, requests, int(size))
