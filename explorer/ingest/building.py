"""Builds a cohort's folder under a hidden name, so that other processes see either the whole folder or nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from explorer.cohorts.folder_lock import locked_folder
from explorer.cohorts.layout import CACHE, Folder, checked_name, own_cohorts
from explorer.tabular.problems import WrongInput
from models.whole_file import PARTIAL_SUFFIX

JOURNAL = "looked-at.jsonl"


@contextmanager
def cohort_being_built(name: str, *, replace: bool) -> Iterator[Folder]:
    """Yield a folder to fill; it becomes your cohort `name` if the block succeeds.

    Leftovers of an interrupted run are deleted, except its journal. If the block raises, the folder stays for the next
    run to resume. Raises NoCohort for an invalid name, and WrongInput if the name is taken and `replace` is False, or
    if the films are being scored.
    """
    checked_name(name)
    target = own_cohorts() / name
    partial, old = target.with_name(f".{name}{PARTIAL_SUFFIX}"), target.with_name(f".{name}.old{PARTIAL_SUFFIX}")
    _refuse_shipped(name)
    partial.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _locked(partial):
        _finish_replacement(target, old)
        _refuse_taken(target, replace)
        with _not_being_scored(target):
            for path in partial.iterdir():
                if path.name != JOURNAL:
                    _remove(path)
            yield Folder(partial)
            (partial / JOURNAL).unlink(missing_ok=True)
            if target.exists():
                target.rename(old)
            partial.rename(target)
            _remove(old)


def link_files(old: Folder, folder: Folder) -> None:
    """Hard-link the files of one folder into an empty one, which is safe because they are replaced, never edited."""
    shutil.copytree(old.path, folder.path, dirs_exist_ok=True, copy_function=_link)


def sweep_unfinished() -> None:
    """Delete what killed runs left behind, including films, but keep the journals that let a run resume."""
    for partial in own_cohorts().glob(f".*{PARTIAL_SUFFIX}"):
        if partial.name.endswith(f".old{PARTIAL_SUFFIX}") or not partial.is_dir():
            continue  # an interrupted replacement: this folder may be the only copy of the cohort
        with suppress(WrongInput), _locked(partial):
            for path in partial.iterdir():
                if path.name != JOURNAL:
                    _remove(path)


@contextmanager
def _locked(partial: Path) -> Iterator[None]:
    """Keep other processes from building the same cohort; remove the folder if it ends up empty."""
    with locked_folder(partial, exclusive=True) as locked:
        if not locked:
            raise WrongInput("Another process is building this cohort. Wait until it has finished.")
        try:
            yield
        finally:
            with suppress(OSError):
                partial.rmdir()


@contextmanager
def _not_being_scored(target: Path) -> Iterator[None]:
    """Make sure that nobody is scoring the cohort to replace: those scores would end up with different films."""
    if not target.exists():
        yield
        return
    with locked_folder(target, exclusive=True) as locked:
        if not locked:
            raise WrongInput(
                f"{target.name!r} is being scored. Wait until that has finished, or stop it, then replace it."
            )
        yield


def _refuse_shipped(name: str) -> None:
    if (CACHE / name / "manifest.json").is_file():
        raise WrongInput(f"{name!r} is a shipped cohort, which cannot be changed. Choose another name.")


def _refuse_taken(target: Path, replace: bool) -> None:
    if target.exists() and not replace:
        raise WrongInput(
            f"There is already a cohort {target.name!r}. Choose another name, or --replace it, which also deletes the "
            "scores of its films. To change only labels and keep scores, use --replace-labels of "
            "`ingest csv` or of the dataset's command."
        )


def _finish_replacement(target: Path, old: Path) -> None:
    """Complete a replacement that was interrupted between its two renames."""
    if old.exists() and not target.exists():
        old.rename(target)
    _remove(old)


def _link(source: str, target: str) -> None:
    """Hard-link a file, or copy it if the file system has no hard links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
