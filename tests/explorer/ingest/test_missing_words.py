"""Words for what is missing are blanks, in every column of a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.cohorts.schema import NO_CENTER
from explorer.ingest.rejects import RejectReason
from tests.explorer.ingest.brought import reasons, said, source_of
from tests.support.wording import Wording


@pytest.mark.parametrize("word", ["nan", "None", "N/A", "NULL", "<NA>", "-", "?"])
def test_a_word_for_what_is_missing_says_nothing_in_any_column(tmp_path: Path, word: str, wording: Wording) -> None:
    cells = f",{word}" * 5
    text = f"id,pat,where,view,age,fold,found\na,p1,Jos,PA,4,k1,Mass\nb{cells},{word}\nc{cells},Mass|{word}\n"
    columns = {"patient": "pat", "center": "where", "view": "view", "age": "age", "split": "fold", "findings": "found"}
    source = source_of(tmp_path, text, "absent", **columns)
    assert said(source) == {"a": {"Mass": "present"}, "b": {}, "c": {"Mass": "present"}}
    for entry in source.entries[1:]:
        assert (entry.patient, entry.center, entry.view) == (None, NO_CENTER, "unknown")
        assert (entry.age, entry.split) == (None, None)
    *blanks, nothing = source.notes
    assert len(blanks) == 6
    for note, name in zip(blanks, ("where", "pat", "view", "age", "fold", "found"), strict=True):
        wording(note, repr(word), repr(name), "2 cells")
    wording(nothing, "1")
    assert source.words == {}


def test_a_word_for_what_is_missing_may_be_given_a_meaning(tmp_path: Path) -> None:
    source = source_of(tmp_path, "id,found\na,None\nb,Mass\n", "absent", findings="found", words={"none": "Normal"})
    assert said(source) == {
        "a": {"Normal": "present", "Mass": "absent"},
        "b": {"Normal": "absent", "Mass": "present"},
    }


def test_a_row_whose_image_is_missing_is_no_row(tmp_path: Path) -> None:
    assert reasons(source_of(tmp_path, "id,Mass\nnan,1\nb,1\n")) == [(2, "nan", RejectReason.NO_IDENTIFIER)]


def test_a_nul_is_no_part_of_a_text(tmp_path: Path) -> None:
    text = "id,where,pat,Mass\na,Jos\0,p\0\0,1\nb,\0,\0,0\n"
    first, second = source_of(tmp_path, text, center="where", patient="pat").entries
    assert (first.center, first.patient) == ("Jos", "p")
    assert (second.center, second.patient) == (NO_CENTER, None)
