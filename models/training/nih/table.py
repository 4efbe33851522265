"""Reads the label table of an NIH folder in either layout: NIH's own download, or `labels.csv` with paths."""

from __future__ import annotations

import csv
import glob
import logging
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class NihFilm:
    """One row: the film's location, the group of films to which it belongs, and its labels."""

    path: Path
    folder: str
    image_id: str
    patient: str
    words: frozenset[str]  # findings in NIH's terms
    view: str
    sex: str
    age: str


def read_nih_table(root: Path) -> list[NihFilm]:
    """Return the films of `root` that exist.

    `labels.csv` has the columns file, image_id, patient_id, findings (joined by `|`), view, sex and age. NIH's own
    layout is `Data_Entry_2017*.csv` with the images in any folder below. Raises FileNotFoundError if neither exists or
    there are no films.
    """
    own, nih = root / "labels.csv", sorted(root.glob("Data_Entry_2017*.csv"))
    if own.is_file():
        films = [_own(root, row) for row in _rows(own)]
    elif nih:
        # glob follows links to folders; Path.rglob does so only from Python 3.13.
        places = {Path(name).name: root / name for name in glob.iglob("**/*.png", root_dir=root, recursive=True)}
        films = [_nih(places.get(row["Image Index"], root / row["Image Index"]), row) for row in _rows(nih[-1])]
    else:
        raise FileNotFoundError(f"{root} has neither labels.csv nor NIH's Data_Entry_2017.csv.")
    there = [film for film in films if film.path.is_file()]
    if not there:
        raise FileNotFoundError(f"None of the {len(films)} films of the table is in {root}.")
    if len(there) < len(films):
        log.warning("%d of %d films in the table are not in the folder", len(films) - len(there), len(films))
    return there


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def _own(root: Path, row: dict[str, str]) -> NihFilm:
    return NihFilm(
        path=root / row["file"],
        folder=str(PurePosixPath(row["file"]).parent),
        image_id=row["image_id"],
        patient=row["patient_id"],
        words=frozenset(row["findings"].split("|")),
        view=row["view"],
        sex=row["sex"],
        age=row["age"],
    )


def _nih(path: Path, row: dict[str, str]) -> NihFilm:
    return NihFilm(
        path=path,
        folder="images",  # NIH's twelve archives are split by size, not by kind
        image_id=Path(row["Image Index"]).stem,
        patient=row["Patient ID"],
        words=frozenset(row["Finding Labels"].split("|")),
        view=row["View Position"],
        sex=row["Patient Gender"] if "Patient Gender" in row else row["Patient Sex"],
        age=row["Patient Age"],
    )
