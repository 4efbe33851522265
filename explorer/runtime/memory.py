"""Memory of the program: returns free memory to the system, and exempts permanent objects from garbage collection."""

from __future__ import annotations

import atexit
import ctypes
import gc
import sys
import time

RELEASE_SECONDS = 10.0  # between two releases
_ARENAS = -8  # M_ARENA_MAX of malloc.h
_POOLS = 2  # glibc's default is eight per core, and each pool keeps its largest size


def few_pools() -> None:
    """Let threads share memory pools. Call it before starting threads; does nothing without glibc."""
    library = _glibc()
    if library is not None:
        library.mallopt(_ARENAS, _POOLS)


def release_memory_loop(every: float = RELEASE_SECONDS) -> None:
    """Return free memory to the system repeatedly: the C library would keep it, separately for each thread.

    For a daemon thread.
    """
    library = _glibc()
    while library is not None:
        time.sleep(every)
        library.malloc_trim(0)


def freeze_objects() -> None:
    """Exempt all current objects from garbage collection; call it after loading something large.

    Python stops every thread while it scans all objects: half a second with torch and gradio imported.
    """
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # otherwise libraries complain at exit about objects that were never freed


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
