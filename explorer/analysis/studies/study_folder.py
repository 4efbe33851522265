"""Builds the folder of a study cohort under a hidden name, so that others see either the whole cohort or nothing.

What a model's files were made from is noted in them. A run that was interrupted, or that renews a study cohort, keeps
the files of models that are still up to date.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from explorer.cohorts.folder_lock import locked_folder
from explorer.cohorts.layout import CACHE, Folder, own_cohorts
from explorer.cohorts.study_cohorts import NoStudies, studies_name, studies_of
from models.whole_file import PARTIAL_SUFFIX

_MADE_FROM, _SCORED = b"tailscope studies", b"tailscope scored"
_OURS = ("manifest.json", "cases.parquet", "labels.parquet", "boxes.parquet", "appearances.parquet")
_OF_MODELS = ("predictions", "embeddings", "operating_points", "models")
_WAIT = "Wait until that has finished, then try again."


@contextmanager
def study_folder_being_built(cohort: str) -> Iterator[tuple[Folder, tuple[Folder, ...]]]:
    """Yield a folder to fill, and the folders that may hold up-to-date files of models, itself first.

    When the block ends, it becomes the study cohort of `cohort`, whose thresholds, maps and other additions it keeps.
    If the block raises, it stays for the next run to resume. Raises NoStudies if the name is taken, or if another
    process makes or uses the study cohort.
    """
    target = own_cohorts() / studies_name(cohort)
    _check_name(Folder(target), cohort)
    partial, old = (
        target.with_name(f".{target.name}{PARTIAL_SUFFIX}"),
        target.with_name(f".{target.name}.old{PARTIAL_SUFFIX}"),
    )
    partial.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(partial, "is being made"):
        if old.exists() and not target.exists():  # interrupted between the two renames
            old.rename(target)
        shutil.rmtree(old, ignore_errors=True)
        for name in _OURS:
            (partial / name).unlink(missing_ok=True)
        known = (partial, target) if target.exists() else (partial,)
        yield Folder(partial), tuple(map(Folder, known))
        if target.exists():
            with _locked(target, "is in use"):
                _keep_additions(target, partial)
                target.rename(old)
        partial.rename(target)
        shutil.rmtree(old, ignore_errors=True)


def noting_origin(schema: pa.Schema, made_from: str, scored: int) -> pa.Schema:
    """Return the schema with a note of what a model's file is made from, and how many studies it scores."""
    return schema.with_metadata({_MADE_FROM: made_from.encode(), _SCORED: str(scored).encode()})


def with_files_of(folders: tuple[Folder, ...], model: str, made_from: str) -> Folder | None:
    """Return the first folder whose files of a model were made from this version of its films and scores."""
    return next((folder for folder in folders if _noted(folder, model).get(_MADE_FROM) == made_from.encode()), None)


def scored_studies(folder: Folder, model: str) -> int:
    """Return how many studies a model's file scores."""
    return int(_noted(folder, model)[_SCORED])


def _noted(folder: Folder, model: str) -> dict[bytes, bytes]:
    """Return the notes in a model's file; none without a readable file."""
    try:
        return pq.read_schema(predictions_file(folder, model)).metadata or {}
    except (OSError, pa.ArrowException):
        return {}


def predictions_file(folder: Folder, model: str) -> Path:
    """Return the file of the studies' scores, the last of a model's files to be written."""
    return folder.predictions(model) / "part-00000.parquet"


def link_model(known: Folder, folder: Folder, model: str) -> None:
    """Put the scores and features of a model from one folder into another one, if it is another."""
    if known == folder:
        return
    forget_model(folder, model)
    for source, target in (
        (known.embeddings(model), folder.embeddings(model)),
        (known.predictions(model), folder.predictions(model)),
    ):
        if source.exists():
            shutil.copytree(source, target, copy_function=_link)


def forget_model(folder: Folder, model: str) -> None:
    """Delete the scores and features of a model in a folder that is being built."""
    for place in (folder.predictions(model), folder.embeddings(model)):
        shutil.rmtree(place, ignore_errors=True)


def keep_only(folder: Folder, models: tuple[str, ...]) -> None:
    """Delete the files of other models, which an earlier run left."""
    for place in _OF_MODELS:
        for path in sorted((folder.path / place).glob("*")):
            if (path.name if path.is_dir() else path.stem) not in models:
                shutil.rmtree(path) if path.is_dir() else path.unlink()


def _check_name(target: Folder, cohort: str) -> None:
    if (CACHE / target.name / "manifest.json").is_file():
        raise NoStudies(f"{target.name} is a shipped cohort", "It cannot be replaced by a study cohort.")
    made_from = studies_of(target)
    if target.path.exists() and (made_from is None or made_from.cohort != cohort):
        raise NoStudies(
            f"There is another cohort called {target.name}",
            f"The studies of {cohort} need this name. Rename or delete that cohort.",
        )


@contextmanager
def _locked(path: Path, why: str) -> Iterator[None]:
    with locked_folder(path, exclusive=True) as locked:
        if not locked:
            raise NoStudies(f"The study cohort {why}", _WAIT)
        yield


def _keep_additions(target: Path, partial: Path) -> None:
    """Link what users added to a study cohort, such as thresholds and maps."""
    for path in target.iterdir():
        if path.name in (*_OURS, *_OF_MODELS) or path.name.endswith(PARTIAL_SUFFIX):
            continue
        if path.is_dir():
            shutil.copytree(path, partial / path.name, copy_function=_link, dirs_exist_ok=True)
        else:
            (partial / path.name).unlink(missing_ok=True)
            _link(str(path), str(partial / path.name))


def _link(source: str, target: str) -> None:
    """Hard-link a file, which is safe because files are replaced, never edited; copy it where that is impossible."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
