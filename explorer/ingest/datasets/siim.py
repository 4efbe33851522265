"""SIIM-ACR Pneumothorax Segmentation (Kaggle, 2019): NIH films with masks of pneumothorax, kept as boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from explorer.ingest.datasets.catalog import SIIM
from explorer.ingest.datasets.dicom_facts import facts_of, with_facts
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import needed_tables, places
from explorer.ingest.datasets.pixel_boxes import FilmSize, PixelBox, fractions
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import Wanted
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import Row

SOURCE = "SIIM-ACR, radiologists"
FINDING = "Pneumothorax"
SIDE = 1024  # pixels of every film of the challenge
_NONE = "-1"  # in the place of a mask


def read(root: Path, wanted: Wanted) -> ImportSource:
    """The films of `train-rle.csv` in `root`: each has a row for each mask of a pneumothorax, or one that says -1.

    A mask is kept as the box around it. View, sex and age are of DICOM films. A case is an ImageId, the
    SOP instance of a film; patients are not in the table. Raises WrongInput.
    """
    path = needed_tables(root, SIIM)[0]
    rejects: list[Reject] = []
    boxes: list[PixelBox] = []
    rows = _films(path, boxes, rejects)
    source = read_films(path, SIIM, rows, (FINDING,), rejects=rejects, source=SOURCE, blank="unknown")
    source.name = "SIIM-ACR Pneumothorax Segmentation (Kaggle, 2019), masks by radiologists"
    source.entries = [with_facts(entry, facts) for entry, facts in facts_of(source.entries, wanted.films(root))]
    sizes = dict.fromkeys((box.case for box in boxes), FilmSize(SIDE, SIDE))
    source.boxes, notes = fractions(boxes, sizes, lambda word: word)
    source.box_source = SOURCE
    source.notes += notes
    return source


def _films(path: Path, boxes: list[PixelBox], rejects: list[Reject]) -> Iterator[Row]:
    """A row for each film; `boxes` gets one for each mask."""
    found: dict[str, tuple[int, bool]] = {}
    with table_rows(path) as (names, rows):
        film, mask = places(path, names, SIIM, SIIM.columns)
        for line, row in whole_rows(names, rows, film, rejects):
            has = row[mask].strip() not in (_NONE, "")
            first, before = found.get(row[film], (line, False))
            found[row[film]] = (first, before or has)
            if has:
                boxes.append(PixelBox(row[film], FINDING, around(row[mask])))
    for image, (line, has) in found.items():
        yield line, [*film_cells(image, file=f"{image}.dcm"), "1" if has else "0"]


def around(mask: str) -> list[str]:
    """Left, top, right and bottom edge of a mask, as cells; texts that are no number where it is not understood.

    It is pairs of numbers: how many pixels to go on from the end of the stretch before, and how many there are of this
    one, down the columns of the film from its left edge.
    """
    try:
        steps = np.array(mask.split(), dtype=np.int64).reshape(-1, 2)
    except ValueError:
        return [""] * 4
    ends = steps.sum(axis=1).cumsum()
    starts, last = ends - steps[:, 1], ends - 1
    columns, rows = np.array([starts // SIDE, last // SIDE]), np.array([starts % SIDE, last % SIDE])
    if (columns[1] > columns[0]).any():  # a stretch that goes on at the top of the next column
        rows = np.append(rows, [0, SIDE - 1])
    return [f"{edge}" for edge in (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)]
