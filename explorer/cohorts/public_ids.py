"""Ids for addresses and links: they say nothing about a patient, a hospital or a file name."""

from __future__ import annotations

import hashlib

DIGITS = 16


def opaque(*names: str) -> str:
    """Sixteen hexadecimal digits for a thing named by its path of names, such as cohort and case.

    The same names always have the same id, on every machine: a link to a case keeps its meaning. `explorer.store.store`
    computes it in SQL for the cases of a cohort.
    """
    return hashlib.sha256("/".join(names).encode()).hexdigest()[:DIGITS]
