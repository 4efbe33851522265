"""Files that only save time: private, written whole or not at all, and done without where none can be written."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models.whole_file import atomic_write


class Keeping:
    """Bears with a folder that cannot be written to; `complaint`, with the folder and the reason, is logged once."""

    def __init__(self, complaint: str) -> None:
        self._complaint = complaint
        self._complained = False

    @contextmanager
    def into(self, folder: Path) -> Iterator[None]:
        """What the block cannot write is not kept."""
        try:
            yield
        except OSError as error:
            if not self._complained:  # once is enough: the next file would say the same
                logging.getLogger(__name__).warning(self._complaint, folder, error.strerror)
            self._complained = True


def write_private(target: Path, data: bytes, used: int, changed: int) -> None:
    """Write a file for its owner alone, with its times of use and of change in nanoseconds. Raises OSError."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(target) as partial:
        partial.touch(mode=0o600)
        partial.write_bytes(data)
        os.utime(partial, ns=(used, changed))
