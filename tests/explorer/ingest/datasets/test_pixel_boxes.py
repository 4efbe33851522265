"""Boxes in pixels become fractions, or are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from explorer.core.finding_words import finding_of
from explorer.ingest.datasets.pixel_boxes import FilmSize, PixelBox, boxes_as_fractions, sizes_in_tables
from tests.explorer.ingest.brought import written
from tests.support.wording import Wording

SIZES = {"film": FilmSize(200, 100)}


def test_a_box_inside_its_film() -> None:
    ((box,), notes) = boxes_as_fractions(
        [PixelBox("film", "Mass", ("50", "25.0", "200", "100"), "R1")], SIZES, finding_of
    )
    assert (box.case, box.finding, box.drawn_by) == ("film", "Mass", "R1") and notes == []
    assert (box.x, box.y, box.width, box.height) == (0.25, 0.25, 0.75, 0.75)


@pytest.mark.parametrize(
    ("box", "words"),
    [
        (PixelBox("film", "Elephant", ("0", "0", "1", "1")), "unknown findings"),
        (PixelBox("other", "Mass", ("0", "0", "1", "1")), "train_meta.csv"),
        (PixelBox("film", "Mass", ("0", "0", "201", "1")), "leave their film"),
        (PixelBox("film", "Mass", ("5", "0", "5", "1")), "leave their film"),
        (PixelBox("film", "Mass", ("nan", "0", "5", "1")), "leave their film"),
        (PixelBox("film", "Mass", ("", "0", "5", "1")), "leave their film"),
    ],
)
def test_any_other_is_counted(box: PixelBox, words: str, wording: Wording) -> None:
    kept, (note,) = boxes_as_fractions([box], SIZES, finding_of)
    assert kept == [] and note.endswith(": 1")
    wording(note, words)


def test_sizes_of_a_table(tmp_path: Path) -> None:
    written(tmp_path / "train_meta.csv", "image_id,dim0,dim1\na,100,200\nb,x,1\nc,0,5\nd,1\n")
    written(tmp_path / "test_meta.csv", "image_id,rows\ne,1\n")
    assert sizes_in_tables(tmp_path) == {"a": FilmSize(200, 100)}
    assert sizes_in_tables(tmp_path / "none") == {}
