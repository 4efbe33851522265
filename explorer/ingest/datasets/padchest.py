"""PadChest (Bustos et al., Medical Image Analysis 2020): its one table, with the films by `ImageDir` or all in one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from explorer.core.finding_names import did_you_mean
from explorer.core.finding_words import plain
from explorer.ingest.datasets.catalog import PADCHEST
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import needed_tables, places, tables
from explorer.ingest.datasets.own_findings import own_findings
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import Wanted
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import Row
from explorer.tabular.problems import WrongInput

# MethodLabel -> who said so.
SOURCES = {"Physician": "PadChest, physicians", "RNN_model": "PadChest, model of reports"}
# They are no findings; a row of nothing but these says of no finding whether it is there.
SAYS_NOTHING = frozenset({"nan", "unchanged", "exclude", "suboptimal study"})

_TRAITS = ("ImageID", "ImageDir", "StudyID", "PatientID", "Projection", "MethodLabel", "Labels")
_MORE = ("PatientBirth", "StudyDate_DICOM", "PatientSex_DICOM", "Rows_DICOM", "Columns_DICOM")


@dataclass(frozen=True, slots=True)
class PadChestFilm:
    """A row of the table: `cells` as `film_cells` has them, its cell of words, and who chose these."""

    line: int
    cells: list[str]
    words: str
    said_by: str


def read(root: Path, wanted: Wanted) -> ImportSource:
    """The films of `root`, where the table lies. A case is an ImageID.

    Words are PadChest's as `explorer.core.findings.PADCHEST_WORDS` has them; `wanted.words` are findings by themselves.
    What a row does not name is absent. What physicians and what the model said are two sources of labels. Raises
    WrongInput, also for a word of these that no row has.
    """
    path = needed_tables(root, PADCHEST)[-1]
    rejects: list[Reject] = []
    said_by: dict[str, str] = {}

    def rows() -> Iterator[Row]:
        for film in padchest_films(path, rejects):
            said_by[film.cells[0]] = film.said_by
            yield film.line, [*film.cells, spoken(film.words)]

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
        labelled_by=said_by,
    )
    if strange := [word for word in wanted.words if plain(word) not in map(plain, source.findings)]:
        raise WrongInput(f"No row of {path} has the word {strange[0]!r}.{did_you_mean(strange[0], source.words)}")
    source.name = "PadChest (Bustos et al., 2020), labels of reports by physicians or by a model"
    return source


def padchest_cells(root: Path) -> dict[str, list[str]]:
    """ImageID -> its `film_cells`, from PadChest's table in `root`; nothing where it is not there."""
    films = (film for path in tables(root, PADCHEST.tables)[-1:] for film in padchest_films(path, []))
    return {film.cells[0]: film.cells for film in films}


def padchest_films(path: Path, rejects: list[Reject]) -> Iterator[PadChestFilm]:
    """The rows of the table; `rejects` gets those that are not whole. Raises WrongInput."""
    with table_rows(path) as (names, rows):
        image, folder, study, patient, projection, method, words = places(path, names, PADCHEST, _TRAITS)
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
            yield PadChestFilm(line, cells, row[words], SOURCES.get(row[method], f"PadChest, {row[method]}"))


def spoken(labels: str) -> str:
    """The words of a list that say something of findings, joined by commas."""
    words = [word.strip(" []'\"\n") for word in labels.split(",")]
    return ",".join(word for word in words if word not in SAYS_NOTHING)


def _age(birth: str, day: str) -> str:
    """Years between the year of birth (`1930.0`) and the day of the study (`20140915`); blank where one is not known.

    A birthday is not known: the age may be one too high.
    """
    try:
        return str(max(0, int(day[:4]) - int(float(birth))))
    except (ValueError, OverflowError):
        return ""
