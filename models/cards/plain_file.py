"""Reads whole weights files, but nothing that fills memory and no folder, pipe or device, which may be endless."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from models.cards.card import UnusableModel

MAX_WEIGHTS_BYTES = 4 << 30  # of a weights file


def weights_content(path: Path) -> bytes:
    """Return the bytes of a weights file. Raises UnusableModel if it is missing, too large or not a plain file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # never waits for a pipe's writer
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise _not_a_file(path)
            if found.st_size > MAX_WEIGHTS_BYTES:
                raise UnusableModel(
                    f"{path.name} is larger than {MAX_WEIGHTS_BYTES >> 30} GB", "Larger weights files cannot be loaded."
                )
            return file.read(found.st_size)
    except IsADirectoryError as error:
        raise _not_a_file(path) from error
    except OSError as error:
        raise _not_there(path, error) from error


def check_plain(path: Path) -> None:
    """Raise UnusableModel if a weights file is missing or is a folder, a pipe or a device."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise _not_there(path, error) from error
    if not stat.S_ISREG(mode):
        raise _not_a_file(path)


def _not_there(path: Path, error: OSError) -> UnusableModel:
    return UnusableModel(f"There are no weights at {path}", f"{error.strerror or error}. Correct the path of the file.")


def _not_a_file(path: Path) -> UnusableModel:
    return UnusableModel(f"{path} is not a weights file", "It is a folder, a pipe or a device. Name a plain file.")
