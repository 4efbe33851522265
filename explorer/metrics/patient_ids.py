"""Which films belong to the same patient: they are resampled together and never compared with one another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

import numpy as np
from numpy.typing import NDArray


def patient_numbers(patients: Iterable[str | None], cohorts: Iterable[Hashable] | None = None) -> NDArray[np.int64]:
    """Return a number (n,) for each film's patient; each film of an unknown patient gets its own.

    A name means the same patient at every center; otherwise, the import has already added the center to the name. Give
    `cohorts` (n,) for films of several cohorts: a name then means a patient of that cohort only.
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
