"""Which films are of one patient: what a bootstrap draws together, and what no film is compared with."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import NDArray


def numbered(patients: Iterable[str | None], cohorts: Iterable[Hashable] | None = None) -> NDArray[np.int64]:
    """A number (n,) for each film's patient; films of unknown patients have one of their own each.

    A name means one patient at every center: an import that was told otherwise has put the center into the name.
    `cohorts` (n,) are given where the films are of several: a name means a patient of that cohort only.
    """
    named = list(patients)
    numbers: dict[Hashable, int] = {}
    keys: list[Hashable] = [
        (cohort, patient) if patient else place
        for place, (patient, cohort) in enumerate(
            zip(named, [""] * len(named) if cohorts is None else cohorts, strict=True)
        )
    ]
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.int64)
