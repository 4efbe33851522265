"""Which films are of one patient: what a bootstrap draws together, and what no film is compared with."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import NDArray


def numbered(patients: Iterable[str | None], centers: Iterable[Hashable]) -> NDArray[np.int64]:
    """A number (n,) for each film's patient; films of unknown patients have one of their own each.

    A name means a patient of that center only: every hospital has its own patient 1.
    """
    numbers: dict[Hashable, int] = {}
    keys: list[Hashable] = [
        (center, patient) if patient else place
        for place, (patient, center) in enumerate(zip(patients, centers, strict=True))
    ]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
