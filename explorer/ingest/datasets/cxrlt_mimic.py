"""Imports CXR-LT 2023 and 2024 (Holste et al.): label files for films of MIMIC-CXR-JPG, one row per film."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType

from explorer.ingest.datasets.catalog import MIMIC
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, needed_tables, tables
from explorer.ingest.datasets.mimic import film_file, mimic_films
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import CxrLtTask
from explorer.ingest.entries import ImportSource
from explorer.ingest.label_words import own_words
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow

# Files of the releases by task: all labels of 2024 in one file, 2024's first task, and 2023; 2024's gold standard of 26
# findings, whose reports were read by people; 2024's five findings without training films.
RELEASES: Mapping[CxrLtTask, tuple[tuple[str, ...], ...]] = MappingProxyType(
    {
        1: (
            ("labels.csv",),
            ("train_labeled.csv", "development_labeled_task1.csv", "test_labeled_task1.csv"),
            ("train.csv", "development.csv", "test.csv"),
        ),
        2: (("development_labeled_task2.csv", "test_labeled_task2.csv"),),
        3: (("development_labeled_task3.csv", "test_labeled_task3.csv"),),
    }
)
_SOURCES: Mapping[CxrLtTask, str] = MappingProxyType(
    {1: "CXR-LT, mined from reports", 2: "CXR-LT, reports read by people", 3: "CXR-LT, mined from reports"}
)
_SPLITS = {"development": "validate", "val": "validate", "validation": "validate"}
_IDS = ("dicom_id", "subject_id", "study_id")
_NOT_LABELS = frozenset({*_IDS, "ViewPosition", "ViewCodeSequence_CodeMeaning", "path", "fpath", "split"})
_WORDS = own_words({"Round(ed) Atelectasis": "Round Atelectasis"})


def read_cxrlt_mimic(root: Path, release: Path, task: CxrLtTask = 1) -> ImportSource:
    """Return the films that a release's files in `release` label for a task; the films are below `root`.

    Views and sizes come from MIMIC's metadata, if it is in `root`. A case is a dicom_id. Raises WrongInput.
    """
    paths = _files(release, task)
    rejects: list[Reject] = []
    films = {film[0]: film for path in tables(root, MIMIC.tables)[-1:] for _, film in mimic_films(path, [])}
    labels = list(dict.fromkeys(name for path in paths for name in _labels(path)))
    rows = chain.from_iterable(_rows(path, labels, films, rejects) for path in paths)
    source = read_films(
        paths[0],
        MIMIC,
        rows,
        labels,
        rejects=rejects,
        source=_SOURCES[task],
        blank="unknown",
        words=_WORDS,
    )
    source.title = f"CXR-LT on {MIMIC.title}{'' if task == 1 else f', task {task}'}"
    source.name = f"MIMIC-CXR-JPG with the labels of CXR-LT ({', '.join(path.name for path in paths)})"
    if not films:
        source.notes.append(f"no {MIMIC.tables[0]} in {root}: views come from the label files")
    return source


def _files(release: Path, task: CxrLtTask) -> list[Path]:
    found = next((files for names in RELEASES[task] if (files := tables(release, names))), [])
    return found or needed_tables(release, MIMIC, [name for names in RELEASES[task] for name in names])


def _labels(path: Path) -> list[str]:
    with table_rows(path) as (names, _):
        return [name for name in names if name not in _NOT_LABELS]


def _rows(path: Path, labels: list[str], films: dict[str, list[str]], rejects: list[Reject]) -> Iterator[NumberedRow]:
    """Yield rows of `film_cells` and `labels`; a label that this file lacks is blank."""
    with table_rows(path) as (names, rows):
        image, patient, study = column_places(path, names, MIMIC, _IDS)
        file, view, split = (_place(names, *named) for named in (("fpath", "path"), ("ViewPosition",), ("split",)))
        cells = [_place(names, name) for name in labels]
        here = path.name.split("_")[0].split(".")[0]
        for line, row in whole_rows(names, rows, image, rejects):
            part = _cell(row, split) if split is not None else here
            film = film_cells(
                row[image],
                file=_cell(row, file) or film_file(row[patient], row[study], row[image]),
                patient=row[patient],
                study=row[study],
                view=_cell(row, view),
            )
            film = list(films.get(row[image], film))
            film[-1] = _SPLITS.get(part, part)
            yield line, film + [_cell(row, place) for place in cells]


def _place(names: list[str], *wanted: str) -> int | None:
    return next((names.index(name) for name in wanted if name in names), None)


def _cell(row: list[str], place: int | None) -> str:
    return "" if place is None else row[place]
