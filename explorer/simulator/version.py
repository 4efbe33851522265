"""Which simulator this is, and the ways of drawing that addresses name.

Films of the first way look as they did when the shipped cohort was scored, forever; new films are of the newest.
"""

from __future__ import annotations

FIRST = 1  # gas and fluid lie on every AP film as in a supine patient; sides of findings are drawn apart
POSTURE = 2  # AP films are erect or supine, as is written on them, and gas lies where that puts it
NEWEST = POSTURE
DRAWINGS = (FIRST, POSTURE)

VERSION = 1  # one more whenever a film or a mask looks otherwise: tests/explorer/simulator/test_version.py says when

_SINCE = 1_800_000_000  # seconds since 1970; kept files carry the version as their time of change


def stamp() -> int:
    """The time of change, in nanoseconds, of files that this simulator made."""
    return (_SINCE + VERSION) * 10**9
