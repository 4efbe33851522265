"""Imports MIMIC-CXR-JPG (Johnson et al., 2019): metadata, split, and one labeler's labels by study."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from explorer.ingest.blank_labels import Blank
from explorer.ingest.datasets.catalog import MIMIC
from explorer.ingest.datasets.chexpert_labels import OBSERVATIONS, label_completer
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, needed_tables, tables
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions, Labeler
from explorer.ingest.entries import Entry, ImportSource, LabelMarks, SourceMarks
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow

TEST_SET = "mimic-cxr-2.*-test-set-labeled.csv"
RADIOLOGIST = "MIMIC-CXR, radiologist's labels of reports"
_OPACITY = {"Airspace Opacity": "Lung Opacity"}  # the table's name -> the labelers' name


def radiologists_marks(root: Path, films: Sequence[Entry], blank: Blank, rejects: list[Reject]) -> list[SourceMarks]:
    """Return the radiologist's labels of films whose study they read, in the order of OBSERVATIONS.

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


SPLIT_TABLE = "mimic-cxr-2.*-split.csv"
_FILM = ("dicom_id", "subject_id", "study_id", "ViewPosition")


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the films of `root`, with a labeler's labels or those of a CXR-LT release. Raises WrongInput."""
    from explorer.ingest.datasets.cxrlt_mimic import read_cxrlt_mimic  # which reads this module's films

    if wanted.cxr_lt is not None:
        return read_cxrlt_mimic(root, wanted.cxr_lt, wanted.cxr_lt_task)
    return _read_labeler(root, wanted.blank, wanted.labeler)


def _read_labeler(root: Path, blank: Blank, labeler: Labeler) -> ImportSource:
    """Return the films of `root`, which holds the tables, with the labels that a labeler gives their studies.

    A case is a dicom_id, its film below `files`. -1, blanks and No Finding are treated as in CheXpert. A film has no
    labels if the labeler has no row for its study. If the test set's own table is there, it is a second source of
    labels. Raises WrongInput.
    """
    path = needed_tables(root, MIMIC)[-1]
    labels = needed_tables(root, MIMIC, [f"mimic-cxr-2.*-{labeler}.csv"])[-1]
    rejects: list[Reject] = []
    studies = _study_labels(labels, rejects)
    splits = splits_of(root)
    nothing = [""] * len(OBSERVATIONS)

    def rows() -> Iterator[NumberedRow]:
        for line, film in mimic_films(path, rejects):
            image, _, _, study, *_ = film
            film[-1] = splits.get(image, "")
            yield line, [*film, *studies.get(study, nothing)]

    source = read_films(
        path,
        MIMIC,
        rows(),
        OBSERVATIONS,
        rejects=rejects,
        source=f"MIMIC-CXR, {labeler} labeler of reports",
        blank=blank,
    )
    source.name = f"MIMIC-CXR-JPG (Johnson et al., 2019), labels mined from reports by {labeler}"
    unlabelled = sum(each.study not in studies for each in source.entries)
    if unlabelled:
        source.entries = [
            each if each.study in studies else replace(each, marks=LabelMarks()) for each in source.entries
        ]
        source.notes.append(f"films without labels, because {labels.name} has no row for their study: {unlabelled:,}")
    more: list[Reject] = []
    source.more_marks = radiologists_marks(root, source.entries, blank, more)
    source.rejects = [*source.rejects, *more]
    if source.more_marks:
        source.default_source = source.label_source
        source.notes.append(
            f"films that also have labels by a radiologist: {len(source.more_marks):,}; the labeler's labels are the "
            "default"
        )
    if not splits:
        source.notes.append(f"no {SPLIT_TABLE} in {root}: films have no split")
    return source


def mimic_films(path: Path, rejects: list[Reject]) -> Iterator[NumberedRow]:
    """Yield the films of the metadata as `film_cells`, without a split."""
    with table_rows(path) as (names, rows):
        image, patient, study, view = column_places(path, names, MIMIC, _FILM)
        width, height = (names.index(name) if name in names else None for name in ("Columns", "Rows"))
        for line, row in whole_rows(names, rows, image, rejects):
            yield (
                line,
                film_cells(
                    row[image],
                    file=film_file(row[patient], row[study], row[image]),
                    patient=row[patient],
                    study=row[study],
                    view=row[view],
                    width="" if width is None else row[width],
                    height="" if height is None else row[height],
                ),
            )


def film_file(patient: str, study: str, image: str) -> str:
    """Return a film's path in the download."""
    return f"files/p{patient[:2]}/p{patient}/s{study}/{image}.jpg"


def splits_of(root: Path) -> dict[str, str]:
    """Return dicom_id -> train, validate or test; empty if there is no table of splits."""
    found: dict[str, str] = {}
    for path in tables(root, [SPLIT_TABLE])[-1:]:
        with table_rows(path) as (names, rows):
            image, split = column_places(path, names, MIMIC, ("dicom_id", "split"))
            found.update((row[image], sys.intern(row[split])) for _, row in rows if len(row) == len(names))
    return found


def _study_labels(path: Path, rejects: list[Reject]) -> dict[str, tuple[str, ...]]:
    """Return study_id -> its cells for OBSERVATIONS."""
    found: dict[str, tuple[str, ...]] = {}
    with table_rows(path) as (names, rows):
        (study,) = column_places(path, names, MIMIC, ["study_id"])
        cells = column_places(path, names, MIMIC, OBSERVATIONS)
        complete = label_completer(OBSERVATIONS)
        for _, row in whole_rows(names, rows, study, rejects):
            found[row[study]] = tuple(map(sys.intern, complete([row[place] for place in cells])))
    return found
