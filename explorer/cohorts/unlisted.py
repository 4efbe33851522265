"""Temporary cohorts of a visitor: unlisted, found only by a secret name, and deleted when the page closes."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from threading import Lock

from explorer.cohorts.layout import Folder

PUBLIC_NAME = "dropped-films"
_NAME = re.compile(rf"{PUBLIC_NAME}-[0-9a-f]{{32}}")


def new_name() -> str:
    """Return a secret name: anyone who has it, or its id in an address, can open the cohort."""
    return f"{PUBLIC_NAME}-{secrets.token_hex(16)}"


def is_unlisted(cohort: str) -> bool:
    """Whether a cohort has such a name."""
    return _NAME.fullmatch(cohort) is not None


def public_name(cohort: str) -> str:
    """Return a cohort's name for the page and for exports: an unlisted cohort's own name is secret."""
    return PUBLIC_NAME if is_unlisted(cohort) else cohort


class Unlisted:
    """The unlisted cohorts of a store. Thread-safe.

    `forgotten` is called with the name of each that is removed, `changed` with that of each added or replaced.
    """

    def __init__(
        self,
        forgotten: Callable[[str], None] = lambda cohort: None,
        changed: Callable[[str], None] = lambda cohort: None,
    ) -> None:
        self._forgotten = forgotten
        self._changed = changed
        self._lock = Lock()
        self._folders: dict[str, Folder] = {}

    def put(self, folder: Folder) -> None:
        """Add or replace the cohort with the folder's name."""
        with self._lock:
            self._folders[folder.name] = folder
        self._changed(folder.name)

    def forget(self, cohort: str) -> None:
        """Remove the cohort; the caller deletes its files."""
        with self._lock:
            removed = self._folders.pop(cohort, None)
        if removed is not None:
            self._forgotten(cohort)

    def folders(self) -> tuple[Folder, ...]:
        """Return the folders of all unlisted cohorts."""
        with self._lock:
            return tuple(self._folders.values())
