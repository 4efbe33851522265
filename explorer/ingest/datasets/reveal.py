"""Imports REVEAL-CXR (Wei et al., 2026): twelve labels of 100 released studies, and their films as DICOM.

The layout of the release is not documented, so any CSV table with columns for its labels is accepted, and a film is
matched to a row by any cell that holds one of its names.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from explorer.cohorts.images import FILM_ENDINGS
from explorer.core.finding_words import plain
from explorer.core.findings import TAXONOMIES
from explorer.ingest.datasets.catalog import REVEAL
from explorer.ingest.datasets.dicom_facts import DicomFacts, dicom_facts
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import checked_root, needed_tables
from explorer.ingest.datasets.own_findings import own_findings
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ImportSource
from explorer.ingest.found_below import MAX_NAMED
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow
from explorer.tabular.problems import WrongInput

REVEAL_LABELS = TAXONOMIES["REVEAL-CXR"].seen
MIN_LABEL_COLUMNS = 8  # a table with at least this many of the labels is the dataset's

_LABELS = {plain(label): label for label in REVEAL_LABELS}


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the rows of the table in `root` that has columns for REVEAL's labels.

    A case is a film, or without films a row, named by its first cell. A film is matched to the row that has its name,
    the name of its folder, or the identifier of its instance, accession, patient or study. A row without a film is
    kept, with the name of a file that does not exist. A blank is unknown. Raises WrongInput.
    """
    path = _table(checked_root(root, REVEAL))
    rejects: list[Reject] = []
    strangers: list[Path] = []
    source = read_films(
        path,
        REVEAL,
        _rows(path, wanted.films(root), rejects, strangers),
        REVEAL_LABELS,
        rejects=rejects,
        source="REVEAL-CXR, radiologists",
        blank="unknown",
        words=own_findings(REVEAL_LABELS),
    )
    source.name = "REVEAL-CXR (Wei et al., 2026), labels checked by radiologists"
    if strangers:
        source.notes.append(f"films not used, because {path.name} has no row for them: {len(strangers):,}")
    return source


def _table(root: Path) -> Path:
    needed = needed_tables(root, REVEAL)
    for path in needed:
        with table_rows(path) as (names, _):
            if len(_LABELS.keys() & {plain(name) for name in names}) >= MIN_LABEL_COLUMNS:
                return path
    shown = ", ".join(path.name for path in needed[:MAX_NAMED])
    raise WrongInput(
        f"{root} has no table with columns of REVEAL-CXR's labels, such as {', '.join(map(repr, REVEAL_LABELS[:3]))}. "
        f"Looked at: {shown}."
    )


def _rows(path: Path, films: Path | None, rejects: list[Reject], strangers: list[Path]) -> Iterator[NumberedRow]:
    """Yield rows of `film_cells` and REVEAL_LABELS; `strangers` receives films without a row."""
    with table_rows(path) as (names, rows):
        columns = {_LABELS[bare]: place for place, name in enumerate(names) if (bare := plain(name)) in _LABELS}
        others = [place for place in range(len(names)) if place not in columns.values()] or [0]
        table = dict(whole_rows(names, rows, others[0], rejects))
    named = {row[place].strip(): line for line, row in table.items() for place in others if row[place].strip()}
    left = dict.fromkeys(table)
    for film in sorted(_films(films)) if films is not None else ():
        facts = dicom_facts(film)
        line = next((named[key] for key in _names(film, facts) if key in named), None)
        if line is None:
            strangers.append(film)
            continue
        left.pop(line, None)
        cells = _cells(film.relative_to(films or film).as_posix(), table[line][others[0]], facts)
        yield line, [*cells, *_labels(table[line], columns)]
    for line in left:
        case = table[line][others[0]]
        yield line, [*film_cells(case, study=case), *_labels(table[line], columns)]


def _cells(file: str, study: str, facts: DicomFacts | None) -> list[str]:
    if facts is None:
        return film_cells(file, study=study)
    size = {"width": str(facts.width or ""), "height": str(facts.height or "")}
    return film_cells(file, study=study, view=facts.view, sex=facts.sex, age=facts.age, **size)


def _films(root: Path) -> Iterator[Path]:
    return (path for path in root.rglob("*") if path.suffix.lower() in FILM_ENDINGS and path.is_file())


def _names(film: Path, facts: DicomFacts | None) -> Iterator[str]:
    yield from (film.name, film.stem, film.parent.name)
    if facts is not None:
        yield from (name for name in facts.names if name)


def _labels(row: list[str], columns: dict[str, int]) -> list[str]:
    return [row[columns[label]] if label in columns else "" for label in REVEAL_LABELS]
