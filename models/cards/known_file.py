"""Files known again by their hash, which is computed once for as long as a file stays the same."""

from __future__ import annotations

import hashlib
import time
from functools import lru_cache
from os import stat_result
from pathlib import Path

YOUNG = 2_000_000_000  # ns: two writes may fall into one tick of a file system's clock
KEPT = 1 << 16


def sha256_of(path: Path) -> str:
    """The hash of a file. Raises OSError."""
    stat = path.stat()
    return _kept(path, state_of(stat)) if is_settled(stat) else _hashed(path)


def state_of(stat: stat_result) -> tuple[int, int, int, int]:
    """Another one whenever the file is another, as far as the file system says."""
    return stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino


def is_settled(stat: stat_result) -> bool:
    """Whether a later change would show in `state_of`: what was written just now may be written again unseen."""
    return YOUNG < time.time_ns() - max(stat.st_mtime_ns, stat.st_ctime_ns)


@lru_cache(maxsize=KEPT)
def _kept(path: Path, _state: tuple[int, ...]) -> str:
    return _hashed(path)


def _hashed(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
