"""A visitor's folder as a cohort that stays: its films, the scores that are there, and what was not read."""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from explorer.cohorts.case_marks import CaseMarks, WrongMark, change_marks, kept_marks
from explorer.cohorts.images import remember_root
from explorer.cohorts.layout import Folder, checked_name, own_cohorts
from explorer.film_folder.folder_cohort import source_of, write_scores
from explorer.film_folder.limits import NoFolder
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.ingest.make_cohort import make_cohort
from explorer.scoring.card_facts import about
from explorer.tabular.problems import FailedChecks, WrongInput
from models.films.without_patient import strip_patient_data

FILMS = "films"  # in the cohort's folder


def keep(folder: VisitorFolder, name: str, *, headers: bool = False) -> int:
    """Make the own cohort `name` of the films that were read; returns how many there are.

    They lie in the cohort's folder, under the names that they came with in its table; the folder itself stays as it is.
    DICOM films are copied without what their headers say of the patient, unless all `headers` are asked for. What was
    marked of them in Explore is marked there, too. Raises NoFolder where there is nothing to keep yet or the name is
    taken, NoCohort for a name that none can have.
    """
    rows, refused, card = folder.said()
    if folder.progress().running:
        raise NoFolder("The folder is still being read", "Wait until it is read, or stop it, then keep it.")
    if card is None or not rows:
        raise NoFolder("There is nothing to keep", "None of the files was read.")
    checked_name(about(card).name)

    def also(made: Folder) -> None:
        write_scores(made, rows, card)
        _copy(folder.films, made.path / FILMS, headers=headers)
        remember_root(made, name, own_cohorts() / name / FILMS)

    try:
        report = make_cohort(
            lambda: source_of(rows, refused, simulated=folder.simulated), name, folder.films, also=also
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
    """Without a second copy of the bytes where both are on one disk and nothing is left out."""
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
    """Marks that are there already, of an earlier cohort of this name, stay."""
    marks = kept_marks(opened)
    if marks != CaseMarks():
        with suppress(WrongMark):
            change_marks(kept, lambda found: marks if found == CaseMarks() else found)
