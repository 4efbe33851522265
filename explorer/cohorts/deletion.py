"""Deleting an own cohort, or what a model left in one: whole, and never a shipped one's."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from explorer.cohorts.folder_lock import held
from explorer.cohorts.layout import CACHE, Folder, NoCohort, folder
from models.whole_file import PARTIAL_SUFFIX


def delete_cohort(name: str) -> Path:
    """Delete an own cohort with all scores of its films; where it was. The films themselves stay.

    Raises NoCohort for one that is not there, a shipped one, and one that is being scored.
    """
    found = folder(name)
    if found.path.parent == CACHE:
        raise NoCohort(f"{name} is a shipped cohort", "It stays. Scores that you added to it go with --model NAME.")
    with _alone(found.path, name):
        gone = found.path.with_name(f".{name}.deleted{PARTIAL_SUFFIX}")
        shutil.rmtree(gone, ignore_errors=True)  # of a deletion that was interrupted
        found.path.rename(gone)  # at once: nobody sees half a cohort
        shutil.rmtree(gone)
    return found.path


def delete_scores(name: str, model: str) -> tuple[str, ...]:
    """Delete what a model left in a cohort - scores, features, thresholds, maps; the files and folders that went.

    Raises NoCohort where there are none of it, where they are shipped, and where the cohort is being scored.
    """
    place = Folder(folder(name).places()[-1])
    if place.path.parent == CACHE or model not in place.models():
        there = [] if place.path.parent == CACHE else place.models()
        of = "you added" if folder(name).path.parent == CACHE else "there are"
        raise NoCohort(
            f"{name} has no scores of {model!r} that can be deleted", f"Those {of}: {', '.join(there) or 'none'}."
        )
    with _alone(place.path, name):
        gone = [path for path in _files(place, model) if path.exists()]
        for path in gone:  # the manifest first: without it the model is not there
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()
    return tuple(path.relative_to(place.path).as_posix() for path in gone)


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
def _alone(path: Path, name: str) -> Iterator[None]:
    """Nobody scores or replaces the cohort meanwhile."""
    with held(path, alone=True) as ours:
        if not ours:
            raise NoCohort(f"{name} is being scored or replaced", "Wait until that has finished, or stop it.")
        yield
