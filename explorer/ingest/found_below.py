"""Looks for films and archives in a folder where the expected films were not found."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from explorer.cohorts.images import FILM_ENDINGS

ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".001")
MAX_NAMED = 6  # names in a sentence
MAX_FILES_SEARCHED = 100_000


def found_below(root: Path) -> tuple[str | None, list[str]]:
    """Return the path of the first film by name below the folder, and the archives in it."""
    files = islice(
        (os.path.join(place, name) for place, _, names in os.walk(root) for name in names), MAX_FILES_SEARCHED
    )
    paths = sorted(os.path.relpath(file, root).replace(os.sep, "/") for file in files)
    films = [path for path in paths if path.lower().endswith(tuple(FILM_ENDINGS))]
    archives = [path for path in paths if path.lower().endswith(ARCHIVES) and ".csv" not in path.lower()]
    return (films[0] if films else None), archives
