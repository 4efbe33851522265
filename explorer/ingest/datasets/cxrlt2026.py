"""Imports CXR-LT 2026: the challenge's table of PadChest films: `ImageID`, `PatientID` and one column per finding.

The published table had passed through a spreadsheet: 3.24E+38 represents many patients. In all 160,861 rows of
PadChest, an ImageID starts with its StudyID, so films can be grouped by study.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

from explorer.core.finding_words import finding_of
from explorer.core.word_lists import quantity
from explorer.ingest.datasets.catalog import CXRLT2026
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, needed_tables
from explorer.ingest.datasets.padchest import padchest_cells
from explorer.ingest.datasets.table_rows import table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ImportSource
from explorer.ingest.rejects import Reject
from explorer.tabular.csv_rows import NumberedRow
from explorer.tabular.problems import WrongInput

_ROUNDED = re.compile(r"\d+(\.\d+)?[eE]\+\d+")
_STUDY = re.compile(r"(\d{20,})_.+")


@dataclass(slots=True)
class _Patients:
    """Patient numbers as printed in the table."""

    rounded: int = 0  # rows
    different: set[str] = field(default_factory=set)  # rounded numbers

    def patient_or_study(self, printed: str, study: str) -> str:
        """Return a patient's number, or the study's if the patient's was rounded."""
        if not _ROUNDED.fullmatch(printed):
            return printed
        self.rounded += 1
        self.different.add(printed)
        return f"study {study}" if study else ""


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the films of the tables in `root`, one split per table. A case is an ImageID.

    If PatientID is rounded, each study counts as a patient, and the notes say so. If PadChest's own table is in `root`,
    patient, view, sex and age come from there. Raises WrongInput.
    """
    found = needed_tables(root, CXRLT2026)
    paths = [path for path in found if _labels(path)]
    if not paths:
        raise WrongInput(f"{found[0]} has no column named after a finding: it lists films without labels.")
    rejects: list[Reject] = []
    patients = _Patients()
    labels = _labels(paths[0])
    padchest = padchest_cells(root)
    rows = chain.from_iterable(_rows(path, labels, padchest, patients, rejects) for path in paths)
    source = read_films(paths[0], CXRLT2026, rows, labels, rejects=rejects, source="CXR-LT 2026", blank="unknown")
    source.name = f"CXR-LT 2026 ({', '.join(path.name for path in paths)})"
    source.notes += [f"{path.name} has no labels and was skipped" for path in found if path not in paths]
    if patients.rounded:
        source.notes.append(
            f"PatientID is printed as {min(patients.different)!r} or the like in {patients.rounded:,} rows, "
            f"{quantity(len(patients.different), 'different number')}: patients cannot be identified, so films are "
            "grouped by study. Put PadChest's own table into the folder to identify its patients."
        )
    return source


def _labels(path: Path) -> list[str]:
    with table_rows(path) as (names, _):
        column_places(path, names, CXRLT2026, CXRLT2026.columns)
        return [name for name in names if finding_of(name) is not None]


def _rows(
    path: Path, labels: list[str], padchest: dict[str, list[str]], patients: _Patients, rejects: list[Reject]
) -> Iterator[NumberedRow]:
    """Yield rows of `film_cells` and `labels`; a label that this table lacks is blank."""
    split = re.sub(r"^CXRLT_?2026_?", "", path.name.split(".")[0]) or path.stem
    with table_rows(path) as (names, rows):
        image, patient = column_places(path, names, CXRLT2026, CXRLT2026.columns)
        cells = [names.index(name) if name in names else None for name in labels]
        for line, row in whole_rows(names, rows, image, rejects):
            match = _STUDY.fullmatch(row[image])
            study = match[1] if match else ""
            film = padchest.get(row[image])
            if film is None:
                film = film_cells(row[image], patient=patients.patient_or_study(row[patient], study), study=study)
            yield line, [*film[:-1], split, *("" if place is None else row[place] for place in cells)]
