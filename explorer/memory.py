"""Memory that was used and is free goes back to the system: the C library would keep it, for each thread apart."""

from __future__ import annotations

import ctypes
import sys
import time

EVERY = 10.0  # seconds
_ARENAS = -8  # M_ARENA_MAX of malloc.h
_FEW = 2  # pools that threads take memory from; by itself eight for each core, each as large as it ever was


def few_pools() -> None:
    """Let threads share their pools of memory. To be called before there are threads; does nothing without glibc."""
    library = _glibc()
    if library is not None:
        library.mallopt(_ARENAS, _FEW)


def give_back_forever(every: float = EVERY) -> None:
    """Give back what is free, again and again. For a daemon thread."""
    library = _glibc()
    while library is not None:
        time.sleep(every)
        library.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
