"""The files of classes on disk, and which class is running: it holds a file lock, which ends with its process."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from models.cards.home import tailscope_home

_ID = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{4}")


def classes_folder() -> Path:
    """Return the folder of all classes, below TAILSCOPE_HOME."""
    return tailscope_home() / "classes"


def is_class_id(word: str) -> bool:
    """Return whether this is a class id: its start (UTC) and four hexadecimal digits."""
    return _ID.fullmatch(word) is not None


def class_paths(folder: Path, name: str) -> list[Path]:
    """Return all files of a class that exist, its database first."""
    places = [folder / f"{name}.sqlite{ending}" for ending in ("", "-wal", "-shm", "-journal")]
    return [each for each in (*places, _lock_file(folder, name)) if each.exists()]


def class_lock(folder: Path, name: str) -> Callable[[], None]:
    """Lock a class while it runs; returns a function that releases it. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(_lock_file(folder, name), os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # never waits: no other process knows the name yet

    def release() -> None:
        _lock_file(folder, name).unlink(missing_ok=True)
        os.close(handle)

    return release


@contextmanager
def exclusive_class(folder: Path, name: str) -> Iterator[bool]:
    """Yield whether no process is running the class; none can start running it within the block."""
    try:
        handle = os.open(_lock_file(folder, name), os.O_RDWR)
    except FileNotFoundError:  # the class has ended
        yield True
        return
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True
    finally:
        os.close(handle)


def _lock_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.lock"
