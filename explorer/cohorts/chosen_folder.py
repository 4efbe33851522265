"""Checks and remembers the folder of a cohort's films that a user types on the page.

Only the path is stored, in a private file; no page shows it again.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from explorer.cohorts.images import FilmFolder, remember_root
from explorer.cohorts.layout import Folder
from models.refusal import Refusal

MAX_PATH_CHARS = 4096
MAX_FILES = 1_000_000  # the largest public cohorts have half as many files


class NoFilmFolder(Refusal):
    """A folder that cannot be used: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class FilmsFound:
    """How many of a cohort's films under a root were found in the folder."""

    found: int
    films: int


def choose_folder(cohort: Folder, root: str, typed: str) -> FilmsFound:
    """Remember the folder of the films under `root` of a cohort, if it contains any of them.

    Args:
        cohort: the cohort of the films.
        root: the name of their folder in the cohort's table.
        typed: the path of an existing folder on this machine; a leading ~ is the home of the user who runs Tailscope.

    Raises:
        NoFilmFolder: the path is not a folder, or the folder holds too many files to search or none of the films.
    """
    path = _existing(typed)
    films = _files(cohort, root)
    folder = FilmFolder(path)
    found = sum(folder.find(file) is not None for file in films)
    if not found:
        raise NoFilmFolder(
            "None of this cohort's films are in that folder",
            "Choose the folder that holds files with these names, or a folder above it.",
        )
    remember_root(cohort, root, path)
    return FilmsFound(found, len(films))


def _existing(typed: str) -> Path:
    text = typed.strip().strip('"')
    try:
        path = Path(text).expanduser() if 0 < len(text) <= MAX_PATH_CHARS and "\0" not in text else None
        is_readable = path is not None and path.is_absolute() and path.is_dir() and os.access(path, os.R_OK | os.X_OK)
    except (OSError, RuntimeError):  # a name that is too long, or an unknown home
        path, is_readable = None, False
    if path is None or not is_readable:
        raise NoFilmFolder(
            "That is not a readable folder on this machine",
            "Type the full path of a folder on the machine that runs Tailscope, for example /data/nih.",
        )
    if any(count > MAX_FILES for count in accumulate(len(names) for _, _, names in os.walk(path))):
        raise NoFilmFolder(
            f"That folder holds more than {MAX_FILES:,} files",
            "Choose the folder that holds only the films.",
        )
    return path


def _files(cohort: Folder, root: str) -> list[str]:
    table = pq.read_table(cohort.cases, columns=["root", "file"])
    files = table.filter(pc.equal(pc.cast(table["root"], "string"), root))["file"]
    return [file for file in files.to_pylist() if file]
