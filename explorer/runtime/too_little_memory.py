"""Recognizes errors that mean that memory ran out, and words them for the user."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager

# Messages of libraries that raise other errors when memory runs out: torch, oneDNN, OpenBLAS, the dynamic loader, the
# system.
_WORDS = (
    "not enough memory",
    "can't allocate memory",
    "cannot allocate memory",
    "out of memory",
    "bad_alloc",
    "could not create a primitive",
    "could not create a memory object",
    "failed to map segment",
    "can't start new thread",
)
_NAMES = frozenset({"OutOfMemoryError", "OutOfMemoryException", "ArrowMemoryError"})  # of torch, DuckDB, Arrow
_ASKED = re.compile(r"(?:allocate|tried to allocate) ([0-9.]+ (?:[KMGTPE]i?B|bytes))")
ADVICE = (
    "Close other programs, then run it again: with fewer films at a time, a smaller model, or fewer "
    "--processes and --threads if the command has these options."
)


def too_little_memory(error: BaseException) -> str | None:
    """Return a sentence if an error, or its cause, means that memory ran out; else None."""
    seen: BaseException | None = error
    for _ in range(20):
        if seen is None:
            return None
        if isinstance(seen, BrokenProcessPool):
            return f"A helper process ended, probably because the system ran out of memory. {ADVICE}"
        if isinstance(seen, MemoryError) or type(seen).__name__ in _NAMES or _says_so(seen):
            size = _ASKED.search(str(seen))
            requested = f", which requested {size[1]} at once" if size else ""
            return f"There is not enough memory for this{requested}. {ADVICE}"
        seen = seen.__cause__ or seen.__context__
    return None


@contextmanager
def report_memory_errors() -> Iterator[None]:
    """Exit with that sentence and code 2 if memory runs out in the block."""
    try:
        yield
    except (MemoryError, RuntimeError, OSError, ImportError) as error:
        if (words := too_little_memory(error)) is None:
            raise
        sys.stderr.write(f"{words}\n")
        raise SystemExit(2) from error


def _says_so(error: BaseException) -> bool:
    return isinstance(error, RuntimeError | OSError | ImportError) and any(
        words in str(error).lower() for words in _WORDS
    )
