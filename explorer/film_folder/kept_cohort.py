"""Keeps a visitor's folder as a permanent cohort: its films, their scores, and files that were not read."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from explorer.cohorts.case_marks import CaseMarks, WrongMark, change_marks, saved_marks
from explorer.cohorts.images import remember_root
from explorer.cohorts.layout import Folder, checked_name, own_cohorts
from explorer.film_folder.folder_cohort import import_source, write_folder_scores
from explorer.film_folder.limits import NoFolder
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.ingest.make_cohort import make_cohort
from explorer.scoring.card_facts import scoring_classifier
from explorer.tabular.problems import FailedChecks, WrongInput
from models.films.without_patient import strip_patient_data

FILMS_FOLDER = "films"  # in the cohort's folder


def keep_as_cohort(folder: VisitorFolder, name: str, *, headers: bool = False) -> int:
    """Make the user's cohort `name` from the films that were read; returns their number.

    The films are copied into the cohort's folder and keep the visitor's names in its table; the visitor's folder does
    not change. Patient data is removed from DICOM headers, unless `headers` is set. Marks made in Explore are copied.
    Raises NoFolder if there is nothing to keep yet or the name is taken, NoCohort for an invalid name.
    """
    rows, refused, card = folder.results()
    if folder.progress().running:
        raise NoFolder("The folder is still being read", "Wait until it is read, or stop it, then keep it.")
    if card is None or not rows:
        raise NoFolder("There is nothing to keep", "No film was read.")
    checked_name(scoring_classifier(card).name)

    def write_films(made: Folder) -> None:
        write_folder_scores(made, rows, card)
        _copy(folder.films, made.path / FILMS_FOLDER, headers=headers)
        remember_root(made, name, own_cohorts() / name / FILMS_FOLDER)

    try:
        report = make_cohort(
            lambda: import_source(rows, refused, simulated=folder.simulated),
            name,
            folder.films,
            also=write_films,
        )
        if folder.opened is not None:
            _carry_marks(folder.opened.additions, Folder(own_cohorts() / name))
    except (FailedChecks, WrongInput) as error:
        raise NoFolder("The cohort was not kept", str(error)) from error
    except OSError as error:
        raise NoFolder("The cohort was not kept", f"Its files could not be written: {error.strerror}.") from error
    folder.kept = name
    return report.manifest.cases


def _copy(films: Path, target: Path, *, headers: bool) -> None:
    """Copy the films, by hard links where nothing is removed and both folders are on one disk."""
    target.mkdir(mode=0o700)
    for film in films.iterdir():
        data = film.read_bytes()
        copy = data if headers else strip_patient_data(data)
        if copy != data:
            (target / film.name).write_bytes(copy)
            continue
        try:
            os.link(film, target / film.name)
        except OSError:
            shutil.copyfile(film, target / film.name)


def _carry_marks(opened: Folder, kept: Folder) -> None:
    """Copy marks, unless an earlier cohort of this name already has marks."""
    marks = saved_marks(opened)
    if marks != CaseMarks():
        with suppress(WrongMark):
            change_marks(kept, lambda found: marks if found == CaseMarks() else found)
