"""Atomic file writes: under a temporary name, flushed to disk, then renamed."""

from __future__ import annotations

import glob
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PARTIAL_SUFFIX = ".partial"
PROBE_BYTES = 1 << 16  # bytes
ABANDONED_SECONDS = 600.0  # seconds without a write after which a dead process's partial file is removed


def check_writable(folder: Path) -> None:
    """Create a folder if needed and check that a small file can be written into it. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        file.write(bytes(PROBE_BYTES))


@contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """Yield a temporary path that replaces `target` if the block succeeds and is deleted if it fails."""
    target.parent.mkdir(parents=True, exist_ok=True)
    remove_abandoned(target.parent, f".{glob.escape(target.name)}.*{PARTIAL_SUFFIX}")
    partial = target.with_name(f".{target.name}.{os.getpid()}{PARTIAL_SUFFIX}")
    try:
        yield partial
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def remove_abandoned(folder: Path, pattern: str) -> None:
    """Remove partial files that killed processes left behind."""
    for partial in folder.glob(pattern):
        number = partial.name.removesuffix(PARTIAL_SUFFIX).rpartition(".")[2]
        with suppress(FileNotFoundError):
            if (
                number.isdecimal()
                and not _is_running(int(number))
                and time.time() - partial.lstat().st_mtime > ABANDONED_SECONDS
            ):
                partial.unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # the process exists and belongs to another user
        return True
    return True
