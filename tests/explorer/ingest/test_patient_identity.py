"""One identity of patients, decided at the import: what the report counts is what a bootstrap draws."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from explorer.ingest.entries import ImportSource
from explorer.metrics.patient_ids import patient_numbers
from tests.explorer.ingest.brought import source_of
from tests.support.wording import Wording, line_with

TABLE = "id,pat,where,Mass\na,1,North,1\nb,1,South,0\nc,2,North,0\nd,2,North,1\ne,,South,0\n"


def brought(tmp_path: Path, **more: object) -> ImportSource:
    return source_of(tmp_path, TABLE, patient="pat", center="where", **more)


def test_an_identifier_at_two_centers_is_one_patient_and_counted(tmp_path: Path, wording: Wording) -> None:
    source = brought(tmp_path)
    assert patient_numbers(entry.patient for entry in source.entries).tolist() == [0, 0, 1, 1, 2]
    wording(line_with(source.notes, "1 patient"))


def test_per_center_it_is_one_of_each(tmp_path: Path, wording: Wording) -> None:
    source = brought(tmp_path, patients="per center")
    assert [entry.patient for entry in source.entries] == ["1 (North)", "1 (South)", "2 (North)", "2 (North)", None]
    wording(line_with(source.notes, "patient of"))


def test_nothing_is_said_where_no_identifier_is_met_twice(tmp_path: Path) -> None:
    source = source_of(tmp_path, TABLE.replace("b,1", "b,3"), patient="pat", center="where")
    assert not any("identifier" in note for note in source.notes)


def test_patients_of_two_cohorts_are_others() -> None:
    assert patient_numbers(["1", "1", None], np.array([0, 1, 0]).tolist()).tolist() == [0, 1, 2]
