"""Headers of DICOM films, read without their pixels."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from explorer.ingest.datasets.dicom_facts import dicom_facts, entries_with_facts, with_facts
from explorer.ingest.entries import Entry
from tests.explorer.ingest.brought import film, written
from tests.explorer.ingest.datasets.samples import dicom


def test_what_a_header_says_fills_what_a_table_left_out(tmp_path: Path) -> None:
    data = dicom(1, width=40, height=20, ViewPosition="LL", PatientSex="F", PatientAge="007Y", AccessionNumber="A1")
    written(tmp_path / "a.dcm", data)
    bare = Entry(case="a", center="c", file="a.dcm")
    ((_, facts),) = entries_with_facts([bare], tmp_path)
    assert facts is not None and "A1" in facts.names
    full = with_facts(bare, facts)
    assert (full.view, full.sex, full.age, full.width, full.height) == ("lateral", "F", 7, 40, 20)
    known = Entry(case="a", center="c", file="a.dcm", view="PA", sex="M", age=9, width=1, height=2)
    assert with_facts(known, facts) == known


@pytest.mark.parametrize("content", [b"", b"DICM", film(1), dicom(1)[:200]])
def test_what_is_no_header_says_nothing(tmp_path: Path, content: bytes) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        facts = dicom_facts(written(tmp_path / "a.dcm", content))
    assert facts is None or facts.view == ""


def test_other_formats_and_missing_films_are_not_opened(tmp_path: Path) -> None:
    written(tmp_path / "a.png", dicom(1))
    entries = [Entry(case="a", center="c", file="a.png"), Entry(case="b", center="c", file="b.dcm")]
    assert [facts for _, facts in entries_with_facts(entries, tmp_path)] == [None, None]
    assert [facts for _, facts in entries_with_facts(entries, None)] == [None, None]
