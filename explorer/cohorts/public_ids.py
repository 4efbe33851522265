"""Ids for addresses and links that reveal nothing about a patient, a hospital or a file name."""

from __future__ import annotations

import hashlib

ID_DIGITS = 16


def opaque_id(*names: str) -> str:
    """Return sixteen hexadecimal digits for a thing identified by a path of names, such as cohort and case.

    The same names give the same id on every machine, so links stay valid. `explorer.store.store` computes the ids of a
    cohort's cases in SQL.
    """
    return hashlib.sha256("/".join(names).encode()).hexdigest()[:ID_DIGITS]
