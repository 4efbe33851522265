"""The sentence for memory that runs out while a model works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from models.cards.card import UnusableModel


@contextmanager
def memory_watched(model: str, device: str) -> Iterator[None]:
    """Raise UnusableModel in place of torch.OutOfMemoryError."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        raise UnusableModel(
            f"There is not enough memory on {device} for {model}",
            "Close other programs that use it, choose a smaller model, or start with --device cpu.",
        ) from error
