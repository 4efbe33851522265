"""Imports PadChest-GR (de Castro et al., 2024): sentences of reports with PadChest's words and boxes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from explorer.core.word_lists import comma_list
from explorer.ingest.datasets.catalog import PADCHEST_GR
from explorer.ingest.datasets.film_cells import film_cells, read_films
from explorer.ingest.datasets.find_tables import column_places, needed_tables, tables
from explorer.ingest.datasets.padchest import UNINFORMATIVE_WORDS, padchest_cells
from explorer.ingest.datasets.table_rows import open_text, table_rows, whole_rows
from explorer.ingest.datasets.wanted import ImportOptions
from explorer.ingest.entries import ImportedBox, ImportSource
from explorer.ingest.label_words import finding_named
from explorer.tabular.problems import WrongInput

MASTER_TABLE = "master_table.csv"
LABEL_SOURCE = "PadChest-GR, radiologists"
_CORNERS = 4

Study = Mapping[str, Any]


def read(root: Path, wanted: ImportOptions) -> ImportSource:
    """Return the films of `grounded_reports*.json` in `root`, with the boxes of their findings.

    A finding that no sentence of a film names is absent; a film without abnormal sentences is Normal. Boxes are
    fractions of the left, top, right and bottom edge; `extra_boxes` are not read. If the tables are in `root`, patient,
    sex and split come from MASTER_TABLE, view and age from PadChest's own table. A case is an ImageID. Raises
    WrongInput.
    """
    path = needed_tables(root, PADCHEST_GR)[-1]
    studies = _studies(path)
    films = padchest_cells(root)
    master = _master(root)
    rows = ((place, _cells(study, films, master)) for place, study in enumerate(studies, 1))
    source = read_films(
        path,
        PADCHEST_GR,
        rows,
        None,
        rejects=[],
        source=LABEL_SOURCE,
        blank="absent",
        spelling="padchest",
    )
    source.name = "PadChest-GR (de Castro et al., 2024), sentences with labels and boxes"
    source.box_source = LABEL_SOURCE
    unused = 0
    for study in studies:
        for box in _boxes(study):
            if box is not None and box.inside():
                source.boxes.append(box)
            else:
                unused += 1
    if unused:
        source.notes.append(f"boxes not used, because they name no known finding or leave their film: {unused:,}")
    if not master:
        source.notes.append(f"no {MASTER_TABLE} in {root}: films have no patient and no split")
    return source


def _studies(path: Path) -> list[Study]:
    with open_text(path) as file:
        try:
            studies = json.load(file)
        except (ValueError, RecursionError) as error:
            raise WrongInput(f"{path} is not complete JSON: {error}. Download it again.") from error
    wanted = PADCHEST_GR.columns
    if not isinstance(studies, list) or not all(
        isinstance(each, dict) and set(wanted) <= set(each) for each in studies
    ):
        raise WrongInput(
            f"{path} is not a list of studies with {comma_list(wanted)}. Use the file as it was published."
        )
    return studies


def _cells(study: Study, films: Mapping[str, list[str]], master: Mapping[str, list[str]]) -> list[str]:
    image = str(study["ImageID"])
    cells = list(films.get(image) or film_cells(image, study=str(study["StudyID"])))
    patient, sex, split = master.get(image, ["", "", ""])
    cells[2], cells[5], cells[-1] = cells[2] or patient, cells[5] or sex, split
    return [*cells, "|".join(_words(study))]


def _words(study: Study) -> list[str]:
    sentences = _sentences(study)
    abnormal = [each for each in sentences if each.get("abnormal")]
    if sentences and not abnormal:
        return ["normal"]
    words = [str(word) for each in abnormal for word in _list(each, "labels")]
    return [word for word in words if word.casefold() not in UNINFORMATIVE_WORDS]


def _boxes(study: Study) -> Iterator[ImportedBox | None]:
    """Yield the boxes of abnormal findings; None for a box without a known finding or without four numbers."""
    for sentence in _sentences(study):
        if not sentence.get("abnormal"):
            continue
        findings = {finding_named(str(word), "padchest", {}) for word in _list(sentence, "labels")} - {None}
        for corners in _list(sentence, "boxes"):
            if not findings:
                yield None
            for finding in sorted(filter(None, findings)):
                yield _box(str(study["ImageID"]), finding, corners)


def _sentences(study: Study) -> list[Study]:
    return [each for each in _list(study, "findings") if isinstance(each, dict)]


def _list(study: Study, name: str) -> list[Any]:
    """Return the list under a name, or an empty one; sentences that are not abnormal often lack some lists."""
    found = study.get(name)
    return found if isinstance(found, list) else []


def _box(case: str, finding: str, corners: object) -> ImportedBox | None:
    if not isinstance(corners, list) or len(corners) != _CORNERS:
        return None
    try:
        left, top, right, bottom = map(float, corners)
    except (TypeError, ValueError):
        return None
    return ImportedBox(case=case, finding=finding, x=left, y=top, width=right - left, height=bottom - top)


def _master(root: Path) -> dict[str, list[str]]:
    """Return ImageID -> patient, sex and split, where the table gives them."""
    found: dict[str, list[str]] = {}
    for path in tables(root, [MASTER_TABLE]):
        with table_rows(path) as (names, rows):
            (image,) = column_places(path, names, PADCHEST_GR, ["ImageID"])
            wanted = ("PatientID", "PatientSex_DICOM", "split")
            more = [names.index(name) if name in names else None for name in wanted]
            for _, row in whole_rows(names, rows, image, []):
                found[row[image]] = ["" if place is None else row[place] for place in more]
    return found
