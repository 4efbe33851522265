"""RSNA Pneumonia Detection Challenge (Shih et al., Radiology: Artificial Intelligence 2019): NIH films with boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from explorer.ingest.datasets.catalog import RSNA
from explorer.ingest.datasets.dicom_facts import facts_of, with_facts
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import needed_tables, places, tables
from explorer.ingest.datasets.pixel_boxes import FilmSize, PixelBox, fractions
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import Wanted
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import Row

CLASSES = "stage_2_detailed_class_info.csv"
HEADERS = "*stage_2_train_images_dicom_headers.csv"
SOURCE = "RSNA, radiologists"
OPACITY, NORMAL = "Lung Opacity", "Normal"
SIDE = 1024  # pixels of every film of the challenge

_TRAITS = ("PatientID", "ViewPosition", "PatientSex", "PatientAge")


def read(root: Path, wanted: Wanted) -> ImportSource:
    """The films of `stage_2_train_labels.csv` in `root`, with their boxes.

    Target 1 is Lung Opacity: an opacity that may be pneumonia. Normal is known where CLASSES is there: the films of
    Target 0 without it are neither. View, sex and age are of DICOM films, or of a table of headers. A
    case is a patientId, which stands for one film. Raises WrongInput.
    """
    path = needed_tables(root, RSNA)[0]
    rejects: list[Reject] = []
    boxes: list[PixelBox] = []
    rows = _films(path, _classes(root), _headers(root), boxes, rejects)
    source = read_films(path, RSNA, rows, (OPACITY, NORMAL), rejects=rejects, source=SOURCE, blank="unknown")
    source.name = "RSNA Pneumonia Detection Challenge (Shih et al., 2019), labels and boxes by radiologists"
    source.entries = [with_facts(entry, facts) for entry, facts in facts_of(source.entries, wanted.films(root))]
    sizes = dict.fromkeys((box.case for box in boxes), FilmSize(SIDE, SIDE))
    source.boxes, notes = fractions(boxes, sizes, lambda word: word)
    source.box_source = SOURCE
    source.notes += notes
    if not tables(root, [CLASSES]):
        source.notes.append(f"no {CLASSES} lies in {root}: which films are Normal is not known")
    return source


def _films(
    path: Path,
    classes: dict[str, str],
    headers: dict[str, list[str]],
    boxes: list[PixelBox],
    rejects: list[Reject],
) -> Iterator[Row]:
    """A row for each film, of which the table has one for each box; `boxes` gets these."""
    found: dict[str, tuple[int, str]] = {}
    with table_rows(path) as (names, rows):
        film, x, y, width, height, target = places(path, names, RSNA, RSNA.columns)
        for line, row in whole_rows(names, rows, film, rejects):
            found.setdefault(row[film], (line, row[target]))
            if row[x]:
                edges = [row[x], row[y], _sum(row[x], row[width]), _sum(row[y], row[height])]
                boxes.append(PixelBox(row[film], OPACITY, edges))
    for image, (line, opacity) in found.items():
        view, sex, age = headers.get(image, ["", "", ""])
        cells = film_cells(
            image, file=f"stage_2_train_images/{image}.dcm", patient=image, study=image, view=view, sex=sex, age=age
        )
        yield line, [*cells, opacity, _normal(classes.get(image), opacity)]


def _normal(kind: str | None, opacity: str) -> str:
    if kind is None:
        return "0" if opacity == "1" else ""
    return "1" if kind == "Normal" else "0"


def _sum(one: str, other: str) -> str:
    try:
        return str(float(one) + float(other))
    except ValueError:
        return ""


def _classes(root: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in tables(root, [CLASSES]):
        with table_rows(path) as (names, rows):
            film, kind = places(path, names, RSNA, ("patientId", "class"))
            found.update((row[film], row[kind]) for _, row in rows if len(row) == len(names))
    return found


def _headers(root: Path) -> dict[str, list[str]]:
    """patientId -> view, sex and age."""
    found: dict[str, list[str]] = {}
    for path in tables(root, [HEADERS]):
        with table_rows(path) as (names, rows):
            film, *traits = places(path, names, RSNA, _TRAITS)
            found.update((row[film], [row[place] for place in traits]) for _, row in rows if len(row) == len(names))
    return found
