"""The device on which networks run: cpu, cuda or mps."""

from __future__ import annotations

import torch

from models.cards.card import UnusableModel


def usable_device(wanted: str) -> str:
    """Return the device `wanted`; "auto" takes the first of cuda, mps and cpu that is there. Raises UnusableModel."""
    present = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if wanted == "auto":
        return next(name for name, there in present.items() if there)
    if wanted not in present:
        raise UnusableModel(f"There is no device {wanted!r}", "Choose auto, cpu, cuda or mps.")
    if not present[wanted]:
        raise UnusableModel(
            f"This machine has no usable {wanted} device",
            "Start with --device cpu, or with --device auto to use what is available.",
        )
    return wanted
