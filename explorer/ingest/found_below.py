"""What lies in a folder in which no film was found: a film's name, to be set beside the table's, or what is packed."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path

from explorer.cohorts.images import ENDINGS

ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar", ".001")
SHOWN = 6  # names in a sentence
FILES = 100_000  # looked at in search of a film's name


def found_below(root: Path) -> tuple[str | None, list[str]]:
    """A film's path below the folder, the first by name of those looked at, and the archives that lie in it."""
    files = islice((os.path.join(place, name) for place, _, names in os.walk(root) for name in names), FILES)
    paths = sorted(os.path.relpath(file, root).replace(os.sep, "/") for file in files)
    films = [path for path in paths if path.lower().endswith(tuple(ENDINGS))]
    archives = [path for path in paths if path.lower().endswith(ARCHIVES) and ".csv" not in path.lower()]
    return (films[0] if films else None), archives
