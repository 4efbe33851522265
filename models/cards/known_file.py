"""File hashes, computed only once while a file is unchanged."""

from __future__ import annotations

import hashlib
import time
from functools import lru_cache
from os import stat_result
from pathlib import Path

UNSETTLED_NS = 2_000_000_000  # ns: two writes may share one tick of the file system's clock
CACHE_SIZE = 1 << 16


def sha256_of(path: Path) -> str:
    """Return the sha256 of a file. Raises OSError."""
    stat = path.stat()
    return _cached_hash(path, file_state(stat)) if is_settled(stat) else _hashed(path)


def file_state(stat: stat_result) -> tuple[int, int, int, int]:
    """Return a value that changes whenever the file does, as far as the file system shows."""
    return stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, stat.st_ino


def is_settled(stat: stat_result) -> bool:
    """Return whether any later change would show in `file_state`: a file written just now may change unnoticed."""
    return UNSETTLED_NS < time.time_ns() - max(stat.st_mtime_ns, stat.st_ctime_ns)


@lru_cache(maxsize=CACHE_SIZE)
def _cached_hash(path: Path, _state: tuple[int, ...]) -> str:
    return _hashed(path)


def _hashed(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
