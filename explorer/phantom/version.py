"""Which simulator this is. Films that were kept, and thumbnails of them, are made again by another one."""

from __future__ import annotations

VERSION = 1  # one more whenever a film or a mask looks otherwise: tests/explorer/phantom/test_version.py says when

_SINCE = 1_800_000_000  # seconds since 1970; kept files carry the version as their time of change


def stamp() -> int:
    """The time of change, in nanoseconds, of files that this simulator made."""
    return (_SINCE + VERSION) * 10**9
