"""Decides at import which films belong to one patient: the stored name identifies the patient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from explorer.ingest.entries import Entry
from explorer.tabular.patient_names import PatientIds, patient_names

_REMEDY = 'say patients = "per center" in MAP, or --patients-per-center'


def with_patients(entries: Sequence[Entry], ids: PatientIds) -> tuple[list[Entry], str | None]:
    """Return the entries with patient names, and a note on identifiers that several centers share."""
    patients, centers = [entry.patient for entry in entries], [entry.center for entry in entries]
    names, note = patient_names(patients, centers, ids, _REMEDY)
    return [replace(entry, patient=name) for entry, name in zip(entries, names, strict=True)], note
