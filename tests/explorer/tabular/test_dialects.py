"""A random table means the same however it is written: as labels and scores, and as a table to import."""

from __future__ import annotations

import csv
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.challenge_table.cohort_metrics import ColumnNames, EvaluatedCohort, read_cohort
from explorer.ingest.columns import ColumnMap
from explorer.ingest.entries import ImportSource
from explorer.ingest.label_table import read_label_table
from tests.explorer.tabular.messy_writing import written
from tests.explorer.tabular.small_tables import Grid

FINDINGS = ("Normal", "Mass", "Hernia")
PAIRS = (("1", "0"), ("1.0", "0.0"), ("yes", "no"), ("TRUE", "FALSE"), ("Positive", "Negative"), ("present", "absent"))
NAMES = st.text("abcdefgäß0123456789-_ ", min_size=1, max_size=8).map(str.strip).filter(bool)


@dataclass(frozen=True)
class Dialect:
    """How a file is written."""

    separator: str = ","
    ends: str = "\n"
    encoding: str = "utf-8"
    quoting: int = csv.QUOTE_MINIMAL
    declared: bool = False
    commas: bool = False
    index: str | None = None
    more: int = 0  # empty columns at the end
    ending: str = ""
    folder: str = ""
    pair: tuple[str, str] = ("1", "0")
    blank: str = ""

    def bytes_of(self, grid: Grid) -> bytes:
        rows = [
            [self._cell(cell, place) if line else cell for place, cell in enumerate(row)]
            for line, row in enumerate(grid)
        ]
        if self.index is not None:
            rows = [[str(line - 1) if line else self.index, *row] for line, row in enumerate(rows)]
        rows = [[*row, *[""] * self.more] for row in rows]
        start = f"sep={self.separator}{self.ends}" if self.declared else ""
        return (start + written(rows, self.separator, self.ends, self.quoting)).encode(self.encoding)

    def _cell(self, cell: str, place: int) -> str:
        if not place:
            return f"{self.folder}{cell}{self.ending}"
        return cell.replace(".", ",") if self.commas else cell


ANY = st.builds(
    Dialect,
    separator=st.sampled_from(",;\t"),
    ends=st.sampled_from(["\n", "\r\n", "\r"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    declared=st.booleans(),
    commas=st.booleans(),
    index=st.sampled_from([None, "", "Unnamed: 0"]),
    more=st.integers(0, 3),
    ending=st.sampled_from(["", ".png", ".dcm", ".JPG"]),
    folder=st.sampled_from(["", "films/", "C:\\films\\"]),
    pair=st.sampled_from(PAIRS),
    blank=st.sampled_from(["", "NA", "NaN"]),
)
LABEL = st.sampled_from([1.0, 0.0, -1.0, np.nan])
# A film that is Normal and has a finding is left out, with a note: none of these is.
LABELS = st.tuples(LABEL, LABEL, LABEL).filter(lambda row: row[0] != 1 or 1 not in row[1:])
SCORE = st.floats(0, 1).map(lambda value: round(value, 6))
TABLE = st.lists(NAMES, min_size=1, max_size=8, unique=True).flatmap(
    lambda names: st.tuples(
        st.just(names),
        st.lists(LABELS, min_size=len(names), max_size=len(names)),
        st.lists(st.tuples(SCORE, SCORE, SCORE), min_size=len(names), max_size=len(names)),
    )
)


def label_grid(names: list[str], labels: list[tuple[float, ...]], dialect: Dialect) -> Grid:
    said = {1.0: dialect.pair[0], 0.0: dialect.pair[1], -1.0: "-1"}
    rows = [[name, *(said.get(value, dialect.blank) for value in row)] for name, row in zip(names, labels, strict=True)]
    return [["image_id", *FINDINGS], *rows]


def score_grid(names: list[str], scores: list[tuple[float, ...]]) -> Grid:
    rows = [[name, *(f"{value:.6f}" for value in row)] for name, row in zip(names, scores, strict=True)]
    return [["image_id", *FINDINGS], *reversed(rows)]


@settings(max_examples=60)
@given(TABLE, ANY, ANY)
def test_labels_and_scores_are_the_same_in_any_dialect(
    table: tuple[list[str], list[tuple[float, ...]], list[tuple[float, ...]]], ours: Dialect, theirs: Dialect
) -> None:
    names, labels, scores = table
    with tempfile.TemporaryDirectory() as folder:

        def read(ours: Dialect, theirs: Dialect) -> EvaluatedCohort:
            paths = Path(folder) / "L.csv", Path(folder) / "S.csv"
            paths[0].write_bytes(ours.bytes_of(label_grid(names, labels, ours)))
            paths[1].write_bytes(theirs.bytes_of(score_grid(names, scores)))
            return read_cohort(*paths, ColumnNames(), "ignore")

        clean, found = read(Dialect(), Dialect()), read(ours, theirs)
    assert clean.notes == () and found.findings == clean.findings
    np.testing.assert_array_equal(found.labels, clean.labels)
    np.testing.assert_array_equal(found.scores, clean.scores)
    np.testing.assert_array_equal(clean.scores, np.array(scores))
    assert sum("separated" in note for note in found.notes) == sum(each.separator != "," for each in (ours, theirs))
    assert sum("UTF-16" in note for note in found.notes) == sum(each.encoding == "utf-16" for each in (ours, theirs))


@settings(max_examples=60)
@given(TABLE, ANY)
def test_a_table_to_import_is_the_same_in_any_dialect(
    table: tuple[list[str], list[tuple[float, ...]], list[tuple[float, ...]]], dialect: Dialect
) -> None:
    names, labels, _ = table
    with tempfile.TemporaryDirectory() as folder:

        def read(dialect: Dialect) -> ImportSource:
            path = Path(folder) / "T.csv"
            path.write_bytes(dialect.bytes_of(label_grid(names, labels, dialect)))
            return read_label_table(path, ColumnMap(image_id="image_id"), "unknown")

        clean, found = read(Dialect()), read(dialect)
    assert found.findings == clean.findings
    assert [entry.marks for entry in found.entries] == [entry.marks for entry in clean.entries]
    assert [entry.case for entry in found.entries] == [
        f"{dialect.folder}{entry.case}{dialect.ending}" for entry in clean.entries
    ]
    assert [reject.reason for reject in found.rejects] == [reject.reason for reject in clean.rejects]
