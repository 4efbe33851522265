"""Random numbers that depend on the seed and on what they are for, never on what else was drawn."""

from __future__ import annotations

import hashlib

import numpy as np


def draws(seed: int, *purpose: str) -> np.random.Generator:
    """A generator of its own for each purpose: asking for one more finding moves nothing else."""
    digest = hashlib.sha256("/".join((str(seed), *purpose)).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little")))
