"""How the processor works while a network is trained: so many threads, numbers near 0 taken as 0."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def processor_for_training(threads: int) -> Iterator[None]:
    """Inside, torch uses `threads`, and subnormal numbers are 0: they take a processor many times as long.

    Both are settings of the whole thread that calls, so they are put back: whoever computes there next, in numpy or
    plain Python, counts on numbers as the standard (IEEE 754) has them.
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
    """Whether this thread takes numbers below the smallest normal one as 0."""
    return sys.float_info.min / 2 == 0.0
