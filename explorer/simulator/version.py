"""The simulator's version, and the drawing versions that addresses name.

Films of the first drawing version never change, because the shipped cohort was scored on them; new films use the
newest.
"""

from __future__ import annotations

FIRST_DRAWING = 1  # gas and fluid are supine on every AP film; sides of findings are drawn independently
POSTURE_DRAWING = 2  # AP films are erect or supine, as marked on them, and gas is distributed accordingly
NEWEST_DRAWING = POSTURE_DRAWING
DRAWINGS = (FIRST_DRAWING, POSTURE_DRAWING)

VERSION = 1  # increase when any film or mask changes; tests/explorer/simulator/test_version.py detects changes
_SINCE = 1_800_000_000  # seconds since 1970; cached files carry the version in their modification time


def version_mtime() -> int:
    """Return the modification time, in nanoseconds, of files made by this simulator version."""
    return (_SINCE + VERSION) * 10**9
