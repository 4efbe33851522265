"""The common order of cells for a dataset's rows, which are then read like any other table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from explorer.ingest.blank_labels import Blank
from explorer.ingest.columns import ColumnMap
from explorer.ingest.datasets.catalog import KnownDataset
from explorer.ingest.entries import ImportSource
from explorer.ingest.label_table import NO_SOURCES, read_rows
from explorer.ingest.label_words import Spelling
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow

WORDS_COLUMN = "labels"  # the column of a list of words


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
    """Return the facts of a film, except labels, in the order that `read_films` expects; blank: unknown."""
    return [image, file, patient, study, view, sex, age, width, height, split]


def read_films(
    path: Path,
    dataset: KnownDataset,
    rows: Iterable[NumberedRow],
    labels: Sequence[str] | None,
    *,
    rejects: list[Reject],
    source: str,
    blank: Blank,
    separator: str = "|",
    spelling: Spelling = "any",
    words: Mapping[str, str] = NO_SOURCES,
    labelled_by: Mapping[str, str] = NO_SOURCES,
) -> ImportSource:
    """Read rows of `film_cells` followed by one cell per label, or by one list of words if `labels` is None.

    `path` appears in messages. `rejects` grows while rows are read. `source` is the source of the labels, except for
    films in `labelled_by`, which may also grow while rows are read.
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
        findings=WORDS_COLUMN if labels is None else None,
        separator=separator,
        spelling=spelling,
        words=words,
        center_name=dataset.center,
        title=dataset.title,
        source=source,
    )
    traits = list(columns.columns().values())
    names = [*traits, *([WORDS_COLUMN] if labels is None else labels)]
    read = read_rows(path, names, rows, columns, blank, labelled_by=labelled_by)
    read.rejects = [*rejects, *read.rejects]
    return read
