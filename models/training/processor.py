"""Processor settings during training: the number of threads, and subnormal numbers treated as 0."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def processor_for_training(threads: int) -> Iterator[None]:
    """Inside this context torch uses `threads`, and subnormal numbers, which slow a processor many times, are 0.

    Both settings affect the whole calling thread and are restored afterward, because later computations there in NumPy
    or plain Python expect numbers as the standard (IEEE 754) defines them.
    """
    before, flushed = torch.get_num_threads(), subnormals_are_zero()
    torch.set_num_threads(threads)
    torch.set_flush_denormal(True)
    try:
        yield
    finally:
        torch.set_num_threads(before)
        torch.set_flush_denormal(flushed)


def subnormals_are_zero() -> bool:
    """Return whether this thread treats subnormal numbers as 0."""
    return sys.float_info.min / 2 == 0.0
