"""Which films are of one patient, decided once at the import: the name that a cohort stores tells patients apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from explorer.ingest.entries import Entry
from explorer.tabular.patient_names import PatientIds, patient_names

_REMEDY = 'say patients = "per center" in MAP, or --patients-per-center'


def with_patients(entries: Sequence[Entry], ids: PatientIds) -> tuple[list[Entry], str | None]:
    """The entries with the names of their patients, and what to report of identifiers that several centers have."""
    patients, centers = [entry.patient for entry in entries], [entry.center for entry in entries]
    names, note = patient_names(patients, centers, ids, _REMEDY)
    return [replace(entry, patient=name) for entry, name in zip(entries, names, strict=True)], note
