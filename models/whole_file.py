"""Files that are there whole or not at all: written under a temporary name, made durable, then renamed."""

from __future__ import annotations

import glob
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PARTIAL = ".partial"
SMALL = 1 << 16  # bytes
LEFT = 600.0  # seconds without a byte, after which nobody writes to one any more whose process is not here


def check_writable(folder: Path) -> None:
    """Make a folder where it is not there, and see that a small file can be written into it. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        file.write(bytes(SMALL))


@contextmanager
def replaced(target: Path) -> Iterator[Path]:
    """A path to write to; it takes the place of `target` when the block ends well, and goes when it does not."""
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target)
    partial = target.with_name(f".{target.name}.{os.getpid()}{PARTIAL}")
    try:
        yield partial
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


def _sweep(target: Path) -> None:
    """Remove what processes that were killed left of this file."""
    for partial in target.parent.glob(f".{glob.escape(target.name)}.*{PARTIAL}"):
        number = partial.name.removesuffix(PARTIAL).rpartition(".")[2]
        with suppress(FileNotFoundError):
            if number.isdecimal() and not _runs(int(number)) and time.time() - partial.lstat().st_mtime > LEFT:
                partial.unlink()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # of another user
        return True
    return True
