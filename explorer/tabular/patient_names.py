"""Decides which images belong to one patient, from a table's identifiers and centers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from explorer.core.word_lists import quantity

PatientIds = Literal["across centers", "per center"]


def patient_names(
    patients: Sequence[str | None], centers: Sequence[str], ids: PatientIds, remedy: str
) -> tuple[list[str | None], str | None]:
    """Return the name of each image's patient, and a note on identifiers that several centers share.

    An identifier means one patient across centers, or, with "per center", one at each, whose name then ends with the
    center. `remedy` tells the reader how to choose that.
    """
    several = _at_several_centers(patients, centers)
    found = quantity(several, "patient identifier") if several else None
    if ids == "across centers":
        advice = f"each is one patient. If every center numbers its own patients, {remedy}"
        return list(patients), f"{found} at two or more centers: {advice}" if found else None
    named = [
        None if patient is None else f"{patient} ({center})" for patient, center in zip(patients, centers, strict=True)
    ]
    return named, f"{found} at two or more centers: a patient of each, as asked" if found else None


def _at_several_centers(patients: Sequence[str | None], centers: Sequence[str]) -> int:
    """Return the number of identifiers that occur at two or more centers."""
    first: dict[str, str] = {}
    several = {
        patient
        for patient, center in zip(patients, centers, strict=True)
        if patient is not None and first.setdefault(patient, center) != center
    }
    return len(several)
