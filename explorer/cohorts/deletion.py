"""Completely deletes one of the user's cohorts, or a model's results in a cohort, but never shipped ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.cohorts.folder_lock import locked_folder
from explorer.cohorts.layout import CACHE, Folder, NoCohort, cohort_folder
from models.whole_file import PARTIAL_SUFFIX


def delete_cohort(name: str) -> Path:
    """Delete one of the user's cohorts with all its scores; returns its former path. The films stay.

    Raises NoCohort if it does not exist, is shipped, or is being scored.
    """
    found = cohort_folder(name)
    if found.path.parent == CACHE:
        raise NoCohort(f"{name} is a shipped cohort", "It cannot be deleted; scores that you added can: --model NAME.")
    with _exclusive(found.path, name):
        trash = found.path.with_name(f".{name}.deleted{PARTIAL_SUFFIX}")
        shutil.rmtree(trash, ignore_errors=True)  # left by an interrupted deletion
        found.path.rename(trash)  # atomic: nobody sees half a cohort
        shutil.rmtree(trash)
    return found.path


def delete_scores(name: str, model: str) -> tuple[str, ...]:
    """Delete a model's scores, features, thresholds and maps in a cohort; returns the deleted files and folders.

    Raises NoCohort if there are none, if they are shipped, or if the cohort is being scored.
    """
    place = Folder(cohort_folder(name).places()[-1])
    if place.path.parent == CACHE or model not in place.models():
        deletable = [] if place.path.parent == CACHE else place.models()
        of = "You added" if cohort_folder(name).path.parent == CACHE else "It has"
        raise NoCohort(f"{name} has no deletable scores of {model!r}", f"{of}: {', '.join(deletable) or 'none'}.")
    with _exclusive(place.path, name):
        deleted = [path for path in _files(place, model) if path.exists()]
        for path in deleted:  # the manifest first: without it the model is no longer listed
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    return tuple(path.relative_to(place.path).as_posix() for path in deleted)


def _files(place: Folder, model: str) -> Iterator[Path]:
    yield place.model(model)
    yield place.predictions(model)
    yield place.embeddings(model)
    yield place.operating_points(model)
    yield place.chosen_thresholds(model)
    yield place.failures(model)
    yield from place.film_maps(model)
    yield from sorted(place.path.glob(f"localization/*/{model}"))


@contextmanager
def _exclusive(path: Path, name: str) -> Iterator[None]:
    """Make sure that nobody scores or replaces the cohort in the meantime."""
    with locked_folder(path, exclusive=True) as locked:
        if not locked:
            raise NoCohort(f"{name} is being scored or replaced", "Wait until that has finished, or stop it.")
        yield
