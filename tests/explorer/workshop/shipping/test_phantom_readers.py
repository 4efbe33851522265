"""The example readers of the shipped phantom: as their program makes them, and SIMULATED by name."""

from __future__ import annotations

import pyarrow.compute as pc
import pytest

from explorer.cohorts.layout import CACHE, Folder
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.reader_ratings import ratings_files
from explorer.workshop.shipping.phantom_readers import FINDINGS, NAME, SKILLS, WITH, WITHOUT, example_rows

PHANTOM = Folder(CACHE / "phantom")


def test_what_is_shipped_is_what_the_program_makes() -> None:
    shipped = read_table(ratings_files(PHANTOM)[NAME])
    made = list(example_rows(PHANTOM))
    assert shipped.num_rows == len(made) == len(FINDINGS) * len(SKILLS) * (WITH + WITHOUT)
    for kept, row in zip(shipped.to_pylist(), made, strict=True):
        assert kept["rating"] == pytest.approx(row.pop("rating")) and kept.items() >= row.items()


def test_every_reader_is_called_simulated() -> None:
    readers = pc.unique(read_table(ratings_files(PHANTOM)[NAME], ["reader"])["reader"]).to_pylist()
    assert len(readers) == len(SKILLS) and all(each.startswith("SIMULATED ") for each in readers)
