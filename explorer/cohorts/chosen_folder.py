"""The folder of a cohort's films as somebody names it in the page: looked into, then remembered on this machine.

What is remembered is the path alone, in a file for its owner; nobody is shown it again.
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

LONGEST = 4096  # characters of a path
MOST_FILES = 1_000_000  # the largest public cohorts have half as many


class NoFilmFolder(Refusal):
    """A folder that is not taken: `title` says why, `detail` what to do."""


@dataclass(frozen=True, slots=True)
class FilmsFound:
    """How many of the cohort's films of a root lie in the folder."""

    found: int
    films: int


def choose_folder(cohort: Folder, root: str, typed: str) -> FilmsFound:
    """Remember where the films named `root` of a cohort lie, if any of them does.

    Args:
        cohort: whose films they are.
        root: the name of their folder in the cohort's table.
        typed: the path of an existing folder on this machine; a leading ~ is the home of whoever runs Tailscope.

    Raises:
        NoFilmFolder: the path is no folder, holds too many files to look through, or none of the films.
    """
    path = _existing(typed)
    films = _files(cohort, root)
    folder = FilmFolder(path)
    found = sum(folder.find(file) is not None for file in films)
    if not found:
        raise NoFilmFolder(
            "None of this cohort's films is in that folder",
            "Give the folder that holds files of these names, or one above it.",
        )
    remember_root(cohort, root, path)
    return FilmsFound(found, len(films))


def _existing(typed: str) -> Path:
    text = typed.strip().strip('"')
    try:
        path = Path(text).expanduser() if 0 < len(text) <= LONGEST and "\0" not in text else None
        there = path is not None and path.is_absolute() and path.is_dir() and os.access(path, os.R_OK | os.X_OK)
    except (OSError, RuntimeError):  # of a name that is too long, or a home that is not known
        path, there = None, False
    if path is None or not there:
        raise NoFilmFolder(
            "That is not a folder that can be read here",
            "Type the whole path of a folder on the machine that runs Tailscope, for example /data/nih.",
        )
    if any(count > MOST_FILES for count in accumulate(len(names) for _, _, names in os.walk(path))):
        raise NoFilmFolder(
            f"That folder holds more than {MOST_FILES:,} files",
            "Give the folder of the films themselves.",
        )
    return path


def _files(cohort: Folder, root: str) -> list[str]:
    table = pq.read_table(cohort.cases, columns=["root", "file"])
    files = table.filter(pc.equal(pc.cast(table["root"], "string"), root))["file"]
    return [file for file in files.to_pylist() if file]
