"""Imports PadChest (Bustos et al., Medical Image Analysis 2020): its table, films by `ImageDir` or in one folder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.core.finding_names import did_you_mean
from explorer.core.finding_words import plain
from explorer.ingest.datasets.catalog import PADCHEST
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, needed_tables, tables
from explorer.ingest.datasets.own_findings import own_findings
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow
from explorer.tabular.problems import WrongInput

# MethodLabel -> the source of the labels.
LABEL_SOURCES = {"Physician": "PadChest, physicians", "RNN_model": "PadChest, model of reports"}
# Not findings; a row with only these words says nothing about any finding.
UNINFORMATIVE_WORDS = frozenset({"nan", "unchanged", "exclude", "suboptimal study"})

_TRAITS = ("ImageID", "ImageDir", "StudyID", "PatientID", "Projection", "MethodLabel", "Labels")
_MORE = ("PatientBirth", "StudyDate_DICOM", "PatientSex_DICOM", "Rows_DICOM", "Columns_DICOM")


@dataclass(frozen=True, slots=True)
class PadChestFilm:
    """A row of the table: `cells` as `film_cells` returns them, its cell of words, and the source of the labels."""

    line: int
    cells: list[str]
    words: str
    label_source: str


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the films of `root`, which holds the table. A case is an ImageID.

    Words are PadChest's, as in `explorer.core.findings.PADCHEST_WORDS`; `wanted.words` become findings of their own. A
    finding that a row does not name is absent. Labels by physicians and by the model are separate sources. Raises
    WrongInput, also if no row has one of `wanted.words`.
    """
    path = needed_tables(root, PADCHEST)[-1]
    rejects: list[Reject] = []
    label_source: dict[str, str] = {}

    def rows() -> Iterator[NumberedRow]:
        for film in padchest_films(path, rejects):
            label_source[film.cells[0]] = film.label_source
            yield film.line, [*film.cells, informative_words(film.words)]

    source = read_films(
        path,
        PADCHEST,
        rows(),
        None,
        rejects=rejects,
        source="PadChest",
        blank="absent",
        separator=",",
        spelling="padchest",
        words=own_findings(wanted.words),
        labelled_by=label_source,
    )
    if missing := [word for word in wanted.words if plain(word) not in map(plain, source.findings)]:
        raise WrongInput(f"No row of {path} has the word {missing[0]!r}.{did_you_mean(missing[0], source.words)}")
    source.name = "PadChest (Bustos et al., 2020), labels of reports by physicians or by a model"
    return source


def padchest_cells(root: Path) -> dict[str, list[str]]:
    """Return ImageID -> its `film_cells`, from PadChest's table in `root`; empty if the table is missing."""
    films = (film for path in tables(root, PADCHEST.tables)[-1:] for film in padchest_films(path, []))
    return {film.cells[0]: film.cells for film in films}


def padchest_films(path: Path, rejects: list[Reject]) -> Iterator[PadChestFilm]:
    """Yield the rows of the table; `rejects` receives incomplete ones. Raises WrongInput."""
    with table_rows(path) as (names, rows):
        image, folder, study, patient, projection, method, words = column_places(path, names, PADCHEST, _TRAITS)
        more = [names.index(name) if name in names else None for name in _MORE]
        for line, row in whole_rows(names, rows, image, rejects):
            birth, day, sex, height, width = ("" if place is None else row[place] for place in more)
            cells = film_cells(
                row[image],
                file=f"{row[folder]}/{row[image]}" if row[folder] else "",
                patient=row[patient],
                study=row[study],
                view=row[projection],
                sex=sex if sex in ("F", "M") else "",
                age=_age(birth, day),
                width=width,
                height=height,
            )
            yield PadChestFilm(line, cells, row[words], LABEL_SOURCES.get(row[method], f"PadChest, {row[method]}"))


def informative_words(labels: str) -> str:
    """Return the words of a list that say something about findings, joined by commas."""
    words = [word.strip(" []'\"\n") for word in labels.split(",")]
    return ",".join(word for word in words if word not in UNINFORMATIVE_WORDS)


def _age(birth: str, day: str) -> str:
    """Return the years from the year of birth (`1930.0`) to the study date (`20140915`); blank if either is unknown.

    The birthday is unknown, so the age may be one too high.
    """
    try:
        return str(max(0, int(day[:4]) - int(float(birth))))
    except (ValueError, OverflowError):
        return ""
