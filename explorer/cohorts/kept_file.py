"""Cache files: private, written atomically, and skipped if the disk is not writable."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models.whole_file import atomic_write


class OptionalCache:
    """Tolerates a folder that cannot be written to; logs `complaint` once, with the folder and the reason."""

    def __init__(self, complaint: str) -> None:
        self._complaint = complaint
        self._complained = False

    @contextmanager
    def into(self, folder: Path) -> Iterator[None]:
        """Ignore failures to write within the block."""
        try:
            yield
        except OSError as error:
            if not self._complained:  # the next file would fail in the same way
                logging.getLogger(__name__).warning(self._complaint, folder, error.strerror)
            self._complained = True


def write_private(target: Path, data: bytes, used: int, changed: int) -> None:
    """Write a private file with given access and modification times in nanoseconds. Raises OSError."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(target) as partial:
        partial.touch(mode=0o600)
        partial.write_bytes(data)
        os.utime(partial, ns=(used, changed))
