"""Where learners find the class, for the teacher's page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ClassAddresses:
    """`addresses` end with a slash, the likeliest first; `warning` is about encryption and browser warnings.

    `trouble` says why learners cannot reach the class now and what to do; empty if they can.
    """

    addresses: tuple[str, ...]
    encrypted: bool
    warning: str
    trouble: str = ""
