"""The sentence for memory that runs out while a model works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from models.cards.card import UnusableModel


@contextmanager
def memory_watched(model: str, device: str) -> Iterator[None]:
    """Raise UnusableModel in place of what torch and NumPy raise where memory runs out."""
    try:
        yield
    except (torch.OutOfMemoryError, MemoryError) as error:
        raise _too_little(model, device) from error
    except RuntimeError as error:
        if "DefaultCPUAllocator" not in str(error):
            raise
        raise _too_little(model, device) from error


def _too_little(model: str, device: str) -> UnusableModel:
    way = "" if device == "cpu" else ", or start with --device cpu"
    return UnusableModel(
        f"There is not enough memory on {device} for {model}",
        f"Close other programs that use it, choose a smaller model or fewer films at a time{way}.",
    )
