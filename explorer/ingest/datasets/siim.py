"""Imports SIIM-ACR Pneumothorax Segmentation (Kaggle, 2019): NIH films; masks of pneumothorax become boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from explorer.ingest.datasets.catalog import SIIM
from explorer.ingest.datasets.dicom_facts import entries_with_facts, with_facts
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, needed_tables
from explorer.ingest.datasets.pixel_boxes import FilmSize, PixelBox, boxes_as_fractions
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow

LABEL_SOURCE = "SIIM-ACR, radiologists"
FINDING = "Pneumothorax"
FILM_SIDE = 1024  # width and height in pixels of every film in the challenge
_NONE = "-1"  # in place of a mask


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the films of `train-rle.csv` in `root`: one row per mask of a pneumothorax, or a row with -1.

    Each mask becomes its bounding box. View, sex and age come from DICOM files. A case is an ImageId, the SOP instance
    of a film; the table has no patients. Raises WrongInput.
    """
    path = needed_tables(root, SIIM)[0]
    rejects: list[Reject] = []
    boxes: list[PixelBox] = []
    rows = _films(path, boxes, rejects)
    source = read_films(path, SIIM, rows, (FINDING,), rejects=rejects, source=LABEL_SOURCE, blank="unknown")
    source.name = "SIIM-ACR Pneumothorax Segmentation (Kaggle, 2019), masks by radiologists"
    source.entries = [
        with_facts(entry, facts) for entry, facts in entries_with_facts(source.entries, wanted.films(root))
    ]
    sizes = dict.fromkeys((box.case for box in boxes), FilmSize(FILM_SIDE, FILM_SIDE))
    source.boxes, notes = boxes_as_fractions(boxes, sizes, lambda word: word)
    source.box_source = LABEL_SOURCE
    source.notes += notes
    return source


def _films(path: Path, boxes: list[PixelBox], rejects: list[Reject]) -> Iterator[NumberedRow]:
    """Yield one row per film; `boxes` receives one box per mask."""
    found: dict[str, tuple[int, bool]] = {}
    with table_rows(path) as (names, rows):
        film, mask = column_places(path, names, SIIM, SIIM.columns)
        for line, row in whole_rows(names, rows, film, rejects):
            has = row[mask].strip() not in (_NONE, "")
            first, before = found.get(row[film], (line, False))
            found[row[film]] = (first, before or has)
            if has:
                boxes.append(PixelBox(row[film], FINDING, mask_edges(row[mask])))
    for image, (line, has) in found.items():
        yield line, [*film_cells(image, file=f"{image}.dcm"), "1" if has else "0"]


def mask_edges(mask: str) -> list[str]:
    """Return the left, top, right and bottom edge of a mask, as cells; blanks if the mask is malformed.

    A mask is pairs of numbers: pixels to skip since the end of the previous run, and pixels in this run, counted down
    the columns of the film from its left edge.
    """
    try:
        steps = np.array(mask.split(), dtype=np.int64).reshape(-1, 2)
    except ValueError:
        return [""] * 4
    ends = steps.sum(axis=1).cumsum()
    starts, last = ends - steps[:, 1], ends - 1
    columns, rows = np.array([starts // FILM_SIDE, last // FILM_SIDE]), np.array([starts % FILM_SIDE, last % FILM_SIDE])
    if (columns[1] > columns[0]).any():  # a run that continues at the top of the next column
        rows = np.append(rows, [0, FILM_SIDE - 1])
    return [f"{edge}" for edge in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)]
