"""CheXpert (Irvin et al., AAAI 2019): `train.csv` and `valid.csv`, in the small or the full size."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

from explorer.ingest.datasets.catalog import CHEXPERT
from explorer.ingest.datasets.chexpert_labels import OBSERVATIONS, completed
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import needed_tables, places
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import Wanted
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import Row

LABELER, READERS = "CheXpert, labeler of reports", "CheXpert, three radiologists"

_TRAITS = ("Path", "Sex", "Age", "Frontal/Lateral", "AP/PA")
_BEGIN = "CheXpert-v1.0"  # of the folder that paths start with: the small one's, the full one's


def read(root: Path, wanted: Wanted) -> ImportSource:
    """The films of `root`, where `train.csv` or `valid.csv` lies. A case is a film's path below it.

    The full size may lie in the batches that it is handed out in. A -1 is uncertain; what a blank means is chosen,
    except beside No Finding, see `completed`. Patient and study are those of the path. Raises WrongInput.
    """
    rejects: list[Reject] = []
    paths = needed_tables(root, CHEXPERT)
    batches = _batches(root)
    rows = chain.from_iterable(_rows(path, batches, rejects) for path in paths)
    source = read_films(paths[0], CHEXPERT, rows, OBSERVATIONS, rejects=rejects, source=LABELER, blank=wanted.blank)
    source.name = "CheXpert (Irvin et al., AAAI 2019), labels mined from reports; those of valid.csv by radiologists"
    source.entries = [replace(each, labelled_by=READERS) if each.split == "valid" else each for each in source.entries]
    return source


def _rows(path: Path, batches: dict[str, str], rejects: list[Reject]) -> Iterator[Row]:
    """Rows of film_cells and OBSERVATIONS; `batches` as `_batches` gives them."""
    split = path.name.split(".")[0]
    with table_rows(path) as (names, rows):
        film, sex, age, frontal, projection = places(path, names, CHEXPERT, _TRAITS)
        labels = places(path, names, CHEXPERT, OBSERVATIONS)
        complete = completed(OBSERVATIONS)
        for line, row in whole_rows(names, rows, film, rejects):
            image = _below(row[film])
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
    """The folder of each patient, below `root`, where the full size lies there in the batches it is handed out in."""
    places = [place for batch in sorted(root.glob(f"{_BEGIN} batch *")) for place in (batch, batch / "valid")]
    return {
        patient: place.relative_to(root).as_posix()
        for place in places
        if place.is_dir()
        for patient in os.listdir(place)
        if patient.startswith("patient")
    }


def _below(path: str) -> str:
    """A path below the folder that has the table."""
    first, _, rest = path.partition("/")
    return rest if first.startswith(_BEGIN) and rest else path
