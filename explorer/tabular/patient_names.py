"""Which images are of one patient, decided once from the identifiers of a table and the centers that they are from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from explorer.core.word_lists import quantity

PatientIds = Literal["across centers", "per center"]


def patient_names(
    patients: Sequence[str | None], centers: Sequence[str], ids: PatientIds, remedy: str
) -> tuple[list[str | None], str | None]:
    """The name of each image's patient, and what to report of identifiers that several centers have.

    An identifier means one patient at every center, or with "per center" one at each, whose name then ends with the
    center. `remedy` is how the reader says that.
    """
    several = _at_several_centers(patients, centers)
    found = quantity(several, "patient identifier") if several else None
    if ids == "across centers":
        said = f"each is one patient. If every center numbers its own patients, {remedy}"
        return list(patients), f"{found} at two or more centers: {said}" if found else None
    named = [
        None if patient is None else f"{patient} ({center})" for patient, center in zip(patients, centers, strict=True)
    ]
    return named, f"{found} at two or more centers: a patient of each, as asked" if found else None


def _at_several_centers(patients: Sequence[str | None], centers: Sequence[str]) -> int:
    """How many identifiers are met at two centers or more."""
    first: dict[str, str] = {}
    several = {
        patient
        for patient, center in zip(patients, centers, strict=True)
        if patient is not None and first.setdefault(patient, center) != center
    }
    return len(several)
