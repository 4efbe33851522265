"""Locks a folder against other processes that would replace it or write into it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def locked_folder(folder: Path, *, exclusive: bool) -> Iterator[bool]:
    """Lock a folder, either exclusively (`exclusive`) or shared, and yield whether that succeeded.

    Locking fails if another process has locked the folder, or has renamed it since it was opened. The system releases
    the lock if the process dies. Raises FileNotFoundError.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        yield _lock(handle, folder, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(handle), folder.stat())
    except (BlockingIOError, FileNotFoundError):
        return False
