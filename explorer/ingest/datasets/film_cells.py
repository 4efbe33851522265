"""The one order of cells that importers bring a dataset's rows into, read as any other table is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from explorer.ingest.blank_labels import Blank
from explorer.ingest.columns import ColumnMap
from explorer.ingest.datasets.catalog import KnownDataset
from explorer.ingest.entries import ImportSource
from explorer.ingest.label_table import NOTHING, read_rows
from explorer.ingest.label_words import Spelling
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import Row

WORDS = "labels"  # the column of a list of words


def film_cells(
    image: str,
    *,
    file: str = "",
    patient: str = "",
    study: str = "",
    view: str = "",
    sex: str = "",
    age: str = "",
    width: str = "",
    height: str = "",
    split: str = "",
) -> list[str]:
    """What a table says of a film beside its labels, in the order that `read_films` wants; blank: nothing."""
    return [image, file, patient, study, view, sex, age, width, height, split]


def read_films(
    path: Path,
    dataset: KnownDataset,
    rows: Iterable[Row],
    labels: Sequence[str] | None,
    *,
    rejects: list[Reject],
    source: str,
    blank: Blank,
    separator: str = "|",
    spelling: Spelling = "any",
    words: Mapping[str, str] = NOTHING,
    labelled_by: Mapping[str, str] = NOTHING,
) -> ImportSource:
    """Rows of `film_cells` and of cells for `labels`, or of one cell with a list of words, where `labels` is None.

    `path` is what messages name, `rejects` gets rows while they are read, `source` says that the labels are so, but for
    films that `labelled_by` has another for by the time that their row is there.
    """
    columns = ColumnMap(
        image_id="image",
        file="file",
        patient="patient",
        study="study",
        view="view",
        sex="sex",
        age="age",
        width="width",
        height="height",
        split="split",
        findings=WORDS if labels is None else None,
        separator=separator,
        spelling=spelling,
        words=words,
        center_name=dataset.center,
        title=dataset.title,
        source=source,
    )
    traits = list(columns.columns().values())
    names = [*traits, *([WORDS] if labels is None else labels)]
    read = read_rows(path, names, rows, columns, blank, labelled_by=labelled_by)
    read.rejects = [*rejects, *read.rejects]
    return read
