"""Reads the labels of MIMIC-CXR-JPG 2.1's test set: a radiologist's reading of 687 reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from explorer.ingest.blank_labels import Blank
from explorer.ingest.datasets.catalog import MIMIC
from explorer.ingest.datasets.chexpert_labels import OBSERVATIONS, label_completer
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, tables
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.entries import Entry, SourceMarks
from explorer.ingest.rejects import Reject

TEST_SET = "mimic-cxr-2.*-test-set-labeled.csv"
RADIOLOGIST = "MIMIC-CXR, radiologist's labels of reports"
_OPACITY = {"Airspace Opacity": "Lung Opacity"}  # the table's name -> the labelers' name


def radiologists_marks(root: Path, films: Sequence[Entry], blank: Blank, rejects: list[Reject]) -> list[SourceMarks]:
    """Return the radiologist's labels of those films whose study was read, in the order of OBSERVATIONS.

    Empty if the table is not in `root`. `rejects` receives rows with a wrong number of cells. Raises WrongInput.
    """
    for path in tables(root, [TEST_SET])[-1:]:
        studies = _studies(path, rejects)
        rows = (
            (film.line or 0, [*film_cells(film.case), *studies[film.study]])
            for film in films
            if film.study is not None and film.study in studies
        )
        read = read_films(path, MIMIC, rows, OBSERVATIONS, rejects=rejects, source=RADIOLOGIST, blank=blank)
        return [SourceMarks(entry.case, RADIOLOGIST, entry.marks) for entry in read.entries]
    return []


def _studies(path: Path, rejects: list[Reject]) -> dict[str, list[str]]:
    with table_rows(path) as (names, rows):
        names = [_OPACITY.get(name, name) for name in names]
        (study,) = column_places(path, names, MIMIC, ["study_id"])
        cells, complete = column_places(path, names, MIMIC, OBSERVATIONS), label_completer(OBSERVATIONS)
        return {
            row[study].removeprefix("s"): complete([row[place] for place in cells])
            for _, row in whole_rows(names, rows, study, rejects)
        }
