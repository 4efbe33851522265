"""A folder that no other process replaces, or writes into, meanwhile."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def held(folder: Path, *, alone: bool) -> Iterator[bool]:
    """Hold a folder, alone or with others who do not want it alone; whether it is held.

    It is not where somebody else holds it, or renamed it since it was opened. A hold goes with the process, however
    that ends. Raises FileNotFoundError.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield _locked(handle, folder, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
    finally:
        os.close(handle)


def _locked(handle: int, folder: Path, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(handle), folder.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
