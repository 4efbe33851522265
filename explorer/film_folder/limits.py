"""What a folder of films may hold, and the refusals that say so."""

from __future__ import annotations

from dataclasses import dataclass

from models.refusal import Refusal

MB = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one folder; `entries` are those of one ZIP, `seconds` those that reading may take in all."""

    films: int = 2000
    files: int = 6000
    entries: int = 5000
    bytes: int = 2048 * MB
    file_bytes: int = 200 * MB
    seconds: float = 3600.0

    @property
    def surplus(self) -> str:
        """Why a film too many is not read."""
        return f"Only the first {self.films:,} films are read"


LIMITS = Limits()
MOST_FOLDERS = 4  # of all visitors together
LONGEST_NAME = 200  # characters of a film's name that are kept


class NoFolder(Refusal):
    """A folder of films, or a file of one, that is not taken: `title` says why, `detail` what to do."""


def folder_gone() -> NoFolder:
    return NoFolder(
        "The folder is no longer here",
        "It was closed, or the page had not been open for 30 minutes. Drop the films again.",
    )


def too_many_folders() -> NoFolder:
    return NoFolder(
        "Too many folders of films are open",
        f"Others have {MOST_FOLDERS} open. Try again when one of them has been closed.",
    )
