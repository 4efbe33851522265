"""Plain files, read whole: never a folder, a pipe or a device, which may have no end, and none that fills memory."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from models.cards.card import UnusableModel

MOST_BYTES = 4 << 30  # of a file of weights


def weights_content(path: Path) -> bytes:
    """The bytes of a file of weights. Raises UnusableModel where it is not there, not a plain file, or too large."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe without a writer does not wait
        with os.fdopen(descriptor, "rb") as file:
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                raise _not_a_file(path)
            if found.st_size > MOST_BYTES:
                raise UnusableModel(
                    f"{path.name} is larger than {MOST_BYTES >> 30} GB", "Weights of that size are not read here."
                )
            return file.read(found.st_size)
    except IsADirectoryError as error:
        raise _not_a_file(path) from error
    except OSError as error:
        raise _not_there(path, error) from error


def check_plain(path: Path) -> None:
    """Raise UnusableModel where a file of weights is not there, or is a folder, a pipe or a device."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise _not_there(path, error) from error
    if not stat.S_ISREG(mode):
        raise _not_a_file(path)


def _not_there(path: Path, error: OSError) -> UnusableModel:
    return UnusableModel(f"There are no weights at {path}", f"{error.strerror or error}. Correct the path of the file.")


def _not_a_file(path: Path) -> UnusableModel:
    return UnusableModel(f"{path} is not a file of weights", "It is a folder, a pipe or a device. Name a plain file.")
