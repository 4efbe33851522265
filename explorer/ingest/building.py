"""A cohort's folder while it is made: under a hidden name, so that it is there whole or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from explorer.cohorts.layout import CACHE, Folder, checked_name, own_cohorts
from explorer.evaluation.problems import WrongInput
from models.whole_file import PARTIAL

JOURNAL = "looked-at.jsonl"


@contextmanager
def building(name: str, *, replace: bool) -> Iterator[Folder]:
    """A folder to fill, which becomes the own cohort `name` when the block ends well.

    What an interrupted run left in it is thrown away, but for the journal. The block's exceptions leave it as it is,
    to go on from. Raises NoCohort for a name that is none, WrongInput where the name is taken and not to be replaced.
    """
    checked_name(name)
    target = own_cohorts() / name
    partial, old = target.with_name(f".{name}{PARTIAL}"), target.with_name(f".{name}.old{PARTIAL}")
    _refuse_shipped(name)
    partial.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(partial):
        _settle(target, old)
        _refuse_taken(target, replace)
        for path in partial.iterdir():
            if path.name != JOURNAL:
                _remove(path)
        yield Folder(partial)
        (partial / JOURNAL).unlink(missing_ok=True)
        if target.exists():
            target.rename(old)
        partial.rename(target)
        _remove(old)


@contextmanager
def _alone(partial: Path) -> Iterator[None]:
    """No other process makes the same cohort meanwhile; the lock goes with the process, however that ends.

    A folder that is empty at the end goes: there is nothing to go on from.
    """
    handle = os.open(partial, os.O_RDONLY)
    try:
        if not _locked(handle, partial):
            raise WrongInput("This cohort is being made by another process. Wait until that has ended.")
        try:
            yield
        finally:
            with suppress(OSError):
                partial.rmdir()
    finally:
        os.close(handle)


def _locked(handle: int, partial: Path) -> bool:
    """Whether the folder is ours now; one that another process has renamed since it was opened is not."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(handle), partial.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def _refuse_shipped(name: str) -> None:
    if (CACHE / name / "manifest.json").is_file():
        raise WrongInput(f"{name!r} is a shipped cohort, which is never written to. Choose another name.")


def _refuse_taken(target: Path, replace: bool) -> None:
    if target.exists() and not replace:
        raise WrongInput(
            f"There is a cohort {target.name!r} already. Choose another name, or --replace it: "
            "the scores of its films go with it."
        )


def _settle(target: Path, old: Path) -> None:
    """End a replacement that was interrupted between its two renames."""
    if old.exists() and not target.exists():
        old.rename(target)
    _remove(old)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
