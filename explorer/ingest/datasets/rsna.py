"""Imports the RSNA Pneumonia Detection Challenge (Shih et al., Radiology: AI 2019): NIH films with boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from explorer.ingest.datasets.catalog import RSNA
from explorer.ingest.datasets.dicom_facts import entries_with_facts, with_facts
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, needed_tables, tables
from explorer.ingest.datasets.pixel_boxes import FilmSize, PixelBox, boxes_as_fractions
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow

CLASS_TABLE = "stage_2_detailed_class_info.csv"
HEADER_TABLE = "*stage_2_train_images_dicom_headers.csv"
LABEL_SOURCE = "RSNA, radiologists"
OPACITY, NORMAL = "Lung Opacity", "Normal"
FILM_SIDE = 1024  # width and height in pixels of every film in the challenge

_TRAITS = ("PatientID", "ViewPosition", "PatientSex", "PatientAge")


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the films of `stage_2_train_labels.csv` in `root`, with their boxes.

    Target 1 is Lung Opacity: an opacity that may be pneumonia. Normal is known only with CLASS_TABLE, because films
    with Target 0 may be abnormal. View, sex and age come from DICOM files or from a table of headers. A case is a
    patientId, which identifies one film. Raises WrongInput.
    """
    path = needed_tables(root, RSNA)[0]
    rejects: list[Reject] = []
    boxes: list[PixelBox] = []
    rows = _films(path, _classes(root), _headers(root), boxes, rejects)
    source = read_films(path, RSNA, rows, (OPACITY, NORMAL), rejects=rejects, source=LABEL_SOURCE, blank="unknown")
    source.name = "RSNA Pneumonia Detection Challenge (Shih et al., 2019), labels and boxes by radiologists"
    source.entries = [
        with_facts(entry, facts) for entry, facts in entries_with_facts(source.entries, wanted.films(root))
    ]
    sizes = dict.fromkeys((box.case for box in boxes), FilmSize(FILM_SIDE, FILM_SIDE))
    source.boxes, notes = boxes_as_fractions(boxes, sizes, lambda word: word)
    source.box_source = LABEL_SOURCE
    source.notes += notes
    if not tables(root, [CLASS_TABLE]):
        source.notes.append(f"no {CLASS_TABLE} in {root}: which films are Normal is unknown")
    return source


def _films(
    path: Path,
    classes: dict[str, str],
    headers: dict[str, list[str]],
    boxes: list[PixelBox],
    rejects: list[Reject],
) -> Iterator[NumberedRow]:
    """Yield one row per film, although the table has one per box; `boxes` receives the boxes."""
    found: dict[str, tuple[int, str]] = {}
    with table_rows(path) as (names, rows):
        film, x, y, width, height, target = column_places(path, names, RSNA, RSNA.columns)
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
    for path in tables(root, [CLASS_TABLE]):
        with table_rows(path) as (names, rows):
            film, kind = column_places(path, names, RSNA, ("patientId", "class"))
            found.update((row[film], row[kind]) for _, row in rows if len(row) == len(names))
    return found


def _headers(root: Path) -> dict[str, list[str]]:
    """Return patientId -> view, sex and age."""
    found: dict[str, list[str]] = {}
    for path in tables(root, [HEADER_TABLE]):
        with table_rows(path) as (names, rows):
            film, *traits = column_places(path, names, RSNA, _TRAITS)
            found.update((row[film], [row[place] for place in traits]) for _, row in rows if len(row) == len(names))
    return found
