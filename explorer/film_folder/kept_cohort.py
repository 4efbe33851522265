"""A visitor's folder as a cohort that stays: its films, the scores that are there, and what was not read."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np

from explorer.cohorts.images import remember_root
from explorer.cohorts.layout import Folder, checked_name, own_cohorts
from explorer.cohorts.parquet_files import read_table
from explorer.cohorts.schema import NO_CENTER
from explorer.film_folder.limits import NoFolder
from explorer.film_folder.visitor_folder import VisitorFolder
from explorer.ingest.entries import Entry, ImportSource
from explorer.ingest.make_cohort import make_cohort
from explorer.ingest.rejects import Reason, Reject
from explorer.scoring.batches import ScoredBatch
from explorer.scoring.card_facts import about, model_manifest, operating_points
from explorer.scoring.score_files import Parts
from explorer.tabular.problems import FailedChecks, WrongInput

FILMS = "films"  # in the cohort's folder
TITLE = "films dropped on Read"


def keep(folder: VisitorFolder, name: str) -> int:
    """Make the own cohort `name` of the films that were read; returns how many there are.

    They lie in the cohort's folder, under the names that they came with in its table; the folder itself stays as it is.
    Raises NoFolder where there is nothing to keep yet or the name is taken, NoCohort for a name that none can have.
    """
    rows, refused, card = folder.said()
    if folder.progress().running:
        raise NoFolder("The folder is still being read", "Wait until it is read, or stop it, then keep it.")
    if card is None or not rows:
        raise NoFolder("There is nothing to keep", "None of the files was read.")
    if folder.simulated:
        raise NoFolder(
            "Simulated films are not kept as a cohort", "It would be taken for one of patients. Explore has `phantom`."
        )
    model = about(card)
    checked_name(model.name)
    rows = sorted(rows, key=lambda row: row.source.name)

    def source() -> ImportSource:
        entries = [
            Entry(
                case=row.source.name,
                center=NO_CENTER,
                file=row.source.file,
                view=row.view,
                height=row.size[0],
                width=row.size[1],
            )
            for row in rows
        ]
        rejects = [
            Reject(None, each.source.name, Reason.UNREADABLE, f"{each.reason}. {each.detail}") for each in refused
        ]
        return ImportSource(TITLE, "a folder of films", "", "no labels", entries=entries, rejects=rejects)

    def also(made: Folder) -> None:
        there = set(read_table(made.cases, ["case"])["case"].to_pylist())
        kept = {row.source.name: row for row in rows if row.source.name in there}
        parts = Parts(made, model.name, model.maker)
        with parts.alone():
            scores = np.stack([row.scores for row in kept.values()])
            features = np.stack([row.features for row in kept.values()])
            parts.write(model.findings, ScoredBatch(list(kept), scores, features, {}))
            parts.close(model_manifest(model, [NO_CENTER], len(kept), 0), operating_points(model))
        _copy(folder.films, made.path / FILMS)
        remember_root(made, name, own_cohorts() / name / FILMS)

    try:
        report = make_cohort(source, name, folder.films, also=also)
    except (FailedChecks, WrongInput) as error:
        raise NoFolder("The cohort was not kept", str(error)) from error
    except OSError as error:
        raise NoFolder("The cohort was not kept", f"Its files could not be written: {error.strerror}.") from error
    folder.kept = name
    return report.manifest.cases


def _copy(films: Path, target: Path) -> None:
    """Without a second copy of the bytes where both are on one disk."""
    target.mkdir(mode=0o700)
    for film in films.iterdir():
        try:
            os.link(film, target / film.name)
        except OSError:
            shutil.copyfile(film, target / film.name)
