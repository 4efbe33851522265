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
    names: Iterable[Hashable] = patients
    if cohorts is not None:
        names = (patient and (cohort, patient) for patient, cohort in zip(patients, cohorts, strict=True))
    keys = [name or place for place, name in enumerate(names)]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.fromiter(map(numbers.__getitem__, keys), np.int64, len(keys))
