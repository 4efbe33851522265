"""Turns out-of-memory errors into a refusal that says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from models.cards.card import UnusableModel


@contextmanager
def refuse_out_of_memory(model: str, device: str) -> Iterator[None]:
    """Raise UnusableModel instead of torch's or NumPy's error when memory runs out."""
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise _out_of_memory(model, device) from error
    except RuntimeError as error:
        if "DefaultCPUAllocator" not in str(error):
            raise
        raise _out_of_memory(model, device) from error


def _out_of_memory(model: str, device: str) -> UnusableModel:
    alternative = "" if device == "cpu" else ", or start with --device cpu"
    return UnusableModel(
        f"There is not enough memory on {device} for {model}",
        f"Close other programs that use it, choose a smaller model or process fewer films at a time{alternative}.",
    )
