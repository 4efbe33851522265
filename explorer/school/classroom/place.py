"""Where learners find the class, in words for the teacher."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """`addresses` end with a slash, the likeliest first; `warning` says what is overheard, or what a browser says.

    `trouble` says why learners do not reach the class now, and what to do; empty where they do.
    """

    addresses: tuple[str, ...]
    encrypted: bool
    warning: str
    trouble: str = ""
