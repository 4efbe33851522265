"""Imports CheXpert (Irvin et al., AAAI 2019): `train.csv` and `valid.csv`, small or full size."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from explorer.ingest.datasets.catalog import CHEXPERT
from explorer.ingest.datasets.chexpert_labels import OBSERVATIONS, label_completer
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, needed_tables
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow

LABELER_SOURCE, READERS_SOURCE = "CheXpert, labeler of reports", "CheXpert, three radiologists"

_TRAITS = ("Path", "Sex", "Age", "Frontal/Lateral", "AP/PA")
_ROOT_PREFIX = "CheXpert-v1.0"  # the folder that paths start with, in both sizes


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the films of `root`, which holds `train.csv` or `valid.csv`. A case is a film's path below `root`.

    The full size may still be in its download batches. -1 is uncertain; the user chooses what a blank means, except on
    a No Finding film, see `label_completer`. Patient and study come from the path. Raises WrongInput.
    """
    rejects: list[Reject] = []
    paths = needed_tables(root, CHEXPERT)
    batches = _batches(root)
    rows = chain.from_iterable(_rows(path, batches, rejects) for path in paths)
    source = read_films(
        paths[0], CHEXPERT, rows, OBSERVATIONS, rejects=rejects, source=LABELER_SOURCE, blank=wanted.blank
    )
    source.name = "CheXpert (Irvin et al., AAAI 2019), labels mined from reports; those of valid.csv by radiologists"
    source.entries = [
        replace(each, labelled_by=READERS_SOURCE) if each.split == "valid" else each for each in source.entries
    ]
    return source


def _rows(path: Path, batches: dict[str, str], rejects: list[Reject]) -> Iterator[NumberedRow]:
    """Yield rows of film_cells and OBSERVATIONS; `batches` as `_batches` returns it."""
    split = path.name.split(".")[0]
    with table_rows(path) as (names, rows):
        film, sex, age, frontal, projection = column_places(path, names, CHEXPERT, _TRAITS)
        labels = column_places(path, names, CHEXPERT, OBSERVATIONS)
        complete = label_completer(OBSERVATIONS)
        for line, row in whole_rows(names, rows, film, rejects):
            image = _relative_path(row[film])
            folders = image.split("/")
            patient = folders[-3] if len(folders) > 2 else ""
            traits = film_cells(
                image,
                file="/".join([batches[patient], *folders[-3:]]) if patient in batches else "",
                patient=patient,
                study=f"{patient}/{folders[-2]}" if patient else "",
                view="lateral" if row[frontal] == "Lateral" else row[projection],
                sex="" if row[sex] == "Unknown" else row[sex],
                age=row[age],
                split=split,
            )
            yield line, traits + complete([row[place] for place in labels])


def _batches(root: Path) -> dict[str, str]:
    """Return each patient's folder, relative to `root`, if the full size is still in its download batches."""
    places = [place for batch in sorted(root.glob(f"{_ROOT_PREFIX} batch *")) for place in (batch, batch / "valid")]
    return {
        patient: place.relative_to(root).as_posix()
        for place in places
        if place.is_dir()
        for patient in os.listdir(place)
        if patient.startswith("patient")
    }


def _relative_path(path: str) -> str:
    """Return a path relative to the folder that holds the table."""
    first, _, rest = path.partition("/")
    return rest if first.startswith(_ROOT_PREFIX) and rest else path
