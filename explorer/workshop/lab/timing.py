"""Measures the processor time per film."""

from __future__ import annotations

import time
from collections.abc import Callable, Sized
from typing import TypeVar

import torch

TIMED_FILMS = 32  # films timed in one batch
TIMING_REPEATS = 3
Films = TypeVar("Films", bound=Sized)


def milliseconds_per_film(answer: Callable[[Films], object], films: Films) -> float:
    """Return processor time per film on one thread, independent of other load: the least of three runs."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        took = []
        for _ in range(TIMING_REPEATS):
            begun = time.process_time()
            answer(films)
            took.append(time.process_time() - begun)
    finally:
        torch.set_num_threads(threads)
    return round(1000 * min(took) / len(films), 2)
