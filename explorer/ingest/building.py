"""A cohort's folder while it is made: under a hidden name, so that it is there whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from explorer.cohorts.folder_lock import held
from explorer.cohorts.layout import CACHE, Folder, checked_name, own_cohorts
from explorer.tabular.problems import WrongInput
from models.whole_file import PARTIAL_SUFFIX

JOURNAL = "looked-at.jsonl"


@contextmanager
def building(name: str, *, replace: bool) -> Iterator[Folder]:
    """A folder to fill, which becomes the own cohort `name` when the block ends well.

    What an interrupted run left in it is thrown away, but for the journal. The block's exceptions leave it as it is,
    to go on from. Raises NoCohort for a name that is none, WrongInput where the name is taken and not to be replaced,
    or its films are being scored.
    """
    checked_name(name)
    target = own_cohorts() / name
    partial, old = target.with_name(f".{name}{PARTIAL_SUFFIX}"), target.with_name(f".{name}.old{PARTIAL_SUFFIX}")
    _refuse_shipped(name)
    partial.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(partial):
        _settle(target, old)
        _refuse_taken(target, replace)
        with _unscored(target):
            for path in partial.iterdir():
                if path.name != JOURNAL:
                    _remove(path)
            yield Folder(partial)
            (partial / JOURNAL).unlink(missing_ok=True)
            if target.exists():
                target.rename(old)
            partial.rename(target)
            _remove(old)


def copy_of(old: Folder, folder: Folder) -> None:
    """Put into an empty folder what another one holds, by links: files of a cohort are replaced, never edited."""
    shutil.copytree(old.path, folder.path, dirs_exist_ok=True, copy_function=_link)


def sweep_unfinished() -> None:
    """Throw away what killed runs left of own cohorts, films among it, but for the journals to go on from."""
    for partial in own_cohorts().glob(f".*{PARTIAL_SUFFIX}"):
        if partial.name.endswith(f".old{PARTIAL_SUFFIX}") or not partial.is_dir():
            continue  # the first is the cohort itself where a replacement was interrupted
        with suppress(WrongInput), _alone(partial):
            for path in partial.iterdir():
                if path.name != JOURNAL:
                    _remove(path)


@contextmanager
def _alone(partial: Path) -> Iterator[None]:
    """No other process makes the same cohort meanwhile. A folder that is empty at the end goes: there is nothing in it
    to go on from.
    """
    with held(partial, alone=True) as ours:
        if not ours:
            raise WrongInput("This cohort is being made by another process. Wait until that has finished.")
        try:
            yield
        finally:
            with suppress(OSError):
                partial.rmdir()


@contextmanager
def _unscored(target: Path) -> Iterator[None]:
    """Nobody scores the cohort that is replaced: the scores would go on into the new one, and be of other films."""
    if not target.exists():
        yield
        return
    with held(target, alone=True) as ours:
        if not ours:
            raise WrongInput(
                f"{target.name!r} is being scored. Wait until that has finished, or stop it, then replace it."
            )
        yield


def _refuse_shipped(name: str) -> None:
    if (CACHE / name / "manifest.json").is_file():
        raise WrongInput(f"{name!r} is a shipped cohort, which is never written to. Choose another name.")


def _refuse_taken(target: Path, replace: bool) -> None:
    if target.exists() and not replace:
        raise WrongInput(
            f"There is a cohort {target.name!r} already. Choose another name, or --replace it: "
            "the scores of its films go with it. To change labels alone and keep scores, use --replace-labels of "
            "`ingest csv` or of the dataset's command."
        )


def _settle(target: Path, old: Path) -> None:
    """End a replacement that was interrupted between its two renames."""
    if old.exists() and not target.exists():
        old.rename(target)
    _remove(old)


def _link(source: str, target: str) -> None:
    """The same file under another name, a copy where the disk knows no such thing."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
