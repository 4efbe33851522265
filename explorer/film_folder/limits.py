"""Limits of a folder of films, and the refusals when they are exceeded."""

from __future__ import annotations

from dataclasses import dataclass

from models.refusal import Refusal

MB = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits per folder; `entries` is per ZIP, `seconds` for all reading together."""

    films: int = 2000
    files: int = 6000
    entries: int = 5000
    bytes: int = 2048 * MB
    file_bytes: int = 200 * MB
    seconds: float = 3600.0

    @property
    def surplus(self) -> str:
        """The reason that films beyond the limit are not read."""
        return f"Only the first {self.films:,} films are read"


LIMITS = Limits()
MAX_FOLDERS = 4  # for all visitors together
MAX_FILM_NAME_CHARS = 200


class NoFolder(Refusal):
    """A folder of films, or one of its files, that is not accepted: `title` says why, `detail` what to do."""


def folder_gone() -> NoFolder:
    return NoFolder(
        "The folder is no longer here",
        "It was closed, or its page was gone for 30 minutes. Drop the films again.",
    )


def too_many_folders() -> NoFolder:
    return NoFolder(
        "Too many folders of films are open",
        f"Other visitors have {MAX_FOLDERS} open. Try again when one of them is closed.",
    )
