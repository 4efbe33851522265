"""Cohorts of a visitor who is here now: found by a name that nobody can guess, in no list, gone with the page."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from threading import Lock

from explorer.cohorts.layout import Folder

SHOWN = "dropped-films"
_NAME = re.compile(rf"{SHOWN}-[0-9a-f]{{32}}")


def new_name() -> str:
    """A name for such a cohort: whoever has it, or the id that an address has in its place, has the cohort."""
    return f"{SHOWN}-{secrets.token_hex(16)}"


def is_unlisted(cohort: str) -> bool:
    """Whether a cohort has such a name."""
    return _NAME.fullmatch(cohort) is not None


def shown_name(cohort: str) -> str:
    """What a cohort is called on the page and in files that leave it: the name of an unlisted one is its key."""
    return SHOWN if is_unlisted(cohort) else cohort


class Unlisted:
    """The unlisted cohorts of a store. `forgotten` is told the name of each that goes. Thread-safe."""

    def __init__(self, forgotten: Callable[[str], None] = lambda cohort: None) -> None:
        self._forgotten = forgotten
        self._lock = Lock()
        self._folders: dict[str, Folder] = {}

    def put(self, folder: Folder) -> None:
        """From now on these are the files of the cohort of the folder's name."""
        with self._lock:
            self._folders[folder.name] = folder

    def forget(self, cohort: str) -> None:
        """The cohort is there no more; its files are left to whoever put it here."""
        with self._lock:
            there = self._folders.pop(cohort, None)
        if there is not None:
            self._forgotten(cohort)

    def folders(self) -> tuple[Folder, ...]:
        """Where each lies."""
        with self._lock:
            return tuple(self._folders.values())
