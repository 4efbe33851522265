"""Which films are of one patient, decided once at the import: the name that a cohort stores tells patients apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from explorer.core.word_lists import quantity
from explorer.ingest.entries import Entry

PatientIds = Literal["across centers", "per center"]


def with_patients(entries: Sequence[Entry], ids: PatientIds) -> tuple[list[Entry], str | None]:
    """The entries with the names of their patients, and what to report of identifiers that several centers have.

    An identifier means one patient at every center, or with "per center" one at each, whose name then ends with the
    center.
    """
    several = _at_several_centers(entries)
    found = quantity(several, "patient identifier") if several else None
    if ids == "across centers":
        said = 'each is one patient. If every center numbers its own patients, say patients = "per center" in MAP'
        note = f"{found} at two or more centers: {said}, or --patients-per-center" if found else None
        return list(entries), note
    named = [
        entry if entry.patient is None else replace(entry, patient=f"{entry.patient} ({entry.center})")
        for entry in entries
    ]
    return named, f"{found} at two or more centers: a patient of each, as asked" if found else None


def _at_several_centers(entries: Sequence[Entry]) -> int:
    """How many identifiers are met at two centers or more."""
    first: dict[str, str] = {}
    several = {
        entry.patient
        for entry in entries
        if entry.patient is not None and first.setdefault(entry.patient, entry.center) != entry.center
    }
    return len(several)
