"""Gives the films of a study the scores of a file that has a row per study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer.cohorts.layout import Folder
from explorer.cohorts.parquet_files import read_table
from explorer.core.word_lists import quantity
from explorer.tabular.notes import Notes, Recognized
from explorer.tabular.problems import WrongInput
from explorer.tabular.sheet import Sheet


def scores_by_film(cohort: Folder, sheet: Sheet, notes: Notes) -> Sheet:
    """Return scores by case if rows are named like studies of the cohort; otherwise the sheet as it is.

    Rows of other names stay, as images that are not cases. Raises WrongInput if films of several patients or centers
    share such a study, because the scores could be of either.
    """
    columns = read_table(cohort.cases, ["case", "study", "patient", "center"]).to_pydict()
    films: dict[str, list[str]] = {}
    whose: dict[str, tuple[str | None, str]] = {}
    for case, study, patient, center in zip(*columns.values(), strict=True):
        if study in sheet.lines:
            films.setdefault(study, []).append(case)
            if whose.setdefault(study, (patient, center)) != (patient, center):
                raise WrongInput(
                    f"{sheet.path.name} has a row for the study {study!r}, which films of several patients or centers "
                    f"of {cohort.name} have. Give scores by film."
                )
    if not films:
        return sheet
    rows = [
        (name, row, line) for row, (study, line) in enumerate(sheet.lines.items()) for name in films.get(study, [study])
    ]
    given = quantity(sum(map(len, films.values())), "film")
    named = quantity(len(films), "row is a study", "rows are studies")
    notes.add(Recognized.STUDY_COLUMN, sheet.path, f"{named} of the cohort: {given} get the scores of their study")
    places = [row for _, row, _ in rows]
    return replace(
        sheet,
        lines={name: line for name, _, line in rows},
        values=sheet.values[np.array(places, np.intp)],
        texts={name: [cells[row] for row in places] for name, cells in sheet.texts.items()},
    )
