"""What the program does about memory: free memory goes back to the system, what stays is not looked through."""

from __future__ import annotations

import atexit
import ctypes
import gc
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


def release_memory_loop(every: float = EVERY) -> None:
    """Give back what is free, again and again: the C library would keep it, for each thread apart.

    For a daemon thread.
    """
    library = _glibc()
    while library is not None:
        time.sleep(every)
        library.malloc_trim(0)


def keep_for_good() -> None:
    """Never look for garbage again among what there is now, to be called when something large was loaded.

    Python stops every thread while it looks through all objects: half a second with torch and gradio imported.
    """
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # else libraries complain at the end of what was never let go of


def _glibc() -> ctypes.CDLL | None:
    if sys.platform != "linux":
        return None
    library = ctypes.CDLL(None)
    return library if hasattr(library, "mallopt") and hasattr(library, "malloc_trim") else None
