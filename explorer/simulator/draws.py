"""Random numbers that depend only on the seed and their purpose, not on other draws."""

from __future__ import annotations

import hashlib

import numpy as np


def draws(seed: int, *purpose: str) -> np.random.Generator:
    """Return a separate generator for each purpose, so that adding a finding changes nothing else."""
    digest = hashlib.sha256("/".join((str(seed), *purpose)).encode()).digest()
    return np.random.Generator(np.random.PCG64(int.from_bytes(digest[:16], "little")))
