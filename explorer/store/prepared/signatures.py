"""Which files prepared tables are made from, and a hash that changes with any of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from explorer.cohorts.layout import Folder
from explorer.cohorts.listing import journal_of, shards_in

SHARDS = slice(4, None)  # the shards among `score_files`


def own_files(folder: Folder) -> list[Path]:
    """Return the files that describe a cohort's films."""
    return [folder.manifest, *folder.own]


def score_files(folder: Folder, model: str) -> list[Path]:
    """Return the files of a model's scores; shards start at index 4, see SHARDS."""
    points = [folder.operating_points(model), folder.chosen_thresholds(model)]
    said = [folder.model(model), journal_of(folder, model), *points]
    return [*said, *shards_in(folder.predictions(model))]


def signature(paths: Iterable[Path]) -> str:
    """Return a hash of the files' names, sizes and times."""
    digest = hashlib.sha256()
    for path in paths:
        with suppress(FileNotFoundError):
            stat = path.stat()
            digest.update(f"{path.name} {stat.st_size} {stat.st_mtime_ns} {stat.st_ino}\n".encode())
    return digest.hexdigest()[:16]
