"""A private folder that never outlives the program: a file lock on it ends with the process."""

from __future__ import annotations

import atexit
import fcntl
import os
import re
import shutil
import stat
import tempfile
from pathlib import Path

PREFIX = "tailscope-uploads-"
_OURS = re.compile(re.escape(PREFIX) + r"[a-z0-9_]{8}")  # as mkdtemp makes them


def private_folder() -> Path:
    """A new folder that only this user may enter, removed when the program ends.

    If a program was killed, the next call of this function removes its folder.
    """
    parent = Path(tempfile.gettempdir())
    remove_dead(parent)
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=parent))  # mkdtemp makes it 0700
        held = _lock(folder, wait=True)
        if _is_there(folder, held):
            atexit.register(_remove, folder, held)
            return folder
        # Another program saw the folder before it was locked, took it for abandoned and removed it.


def remove_dead(parent: Path) -> None:
    """Remove this user's folders that no living process holds. Links are neither followed nor removed."""
    for folder in parent.glob(f"{PREFIX}*"):
        if not _is_ours(folder):
            continue
        held = _lock(folder, wait=False)
        if held is not None and _is_there(folder, held):
            _remove(folder, held)
        elif held is not None:
            os.close(held)


def _is_ours(folder: Path) -> bool:
    try:
        found = folder.lstat()
    except OSError:
        return False
    private = stat.S_ISDIR(found.st_mode) and stat.S_IMODE(found.st_mode) == 0o700 and found.st_uid == os.getuid()
    return private and _OURS.fullmatch(folder.name) is not None


def _lock(folder: Path, *, wait: bool) -> int | None:
    """A locked descriptor of the folder; None if it is gone, locked elsewhere, or on a disk without locks.

    The lock is on the folder itself, so that the folder can stay empty.
    """
    try:
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return None
    try:
        fcntl.flock(held, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(held)
        return None
    return held


def _is_there(folder: Path, held: int | None) -> bool:
    """Whether the folder exists and is the one held."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return held is None or os.path.samestat(found, os.fstat(held))


def _remove(folder: Path, held: int | None) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if held is not None:
        os.close(held)
