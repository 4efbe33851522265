"""Remembers the files that an interrupted import has inspected: one line of JSON per file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from explorer.ingest.film_files import FileInspection
from explorer.ingest.rejects import RejectReason


class Journal:
    """Inspections by path. Files that changed are inspected again; torn lines are ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._inspections = dict(_read(path))

    def find(self, film: Path) -> FileInspection | None:
        """Return the inspection of a file, or None if the file is new or has changed."""
        known = self._inspections.get(str(film))
        if known is None:
            return None
        try:
            state = film.stat()
        except OSError:
            return None
        return known if (state.st_size, state.st_mtime_ns) == (known.size, known.changed) else None

    def add(self, inspections: Iterable[tuple[Path, FileInspection]]) -> None:
        """Add inspections; they are in the file when this returns."""
        with self._path.open("a", encoding="utf-8") as file:
            for film, inspection in inspections:
                self._inspections[str(film)] = inspection
                fields = [
                    str(film),
                    inspection.size,
                    inspection.changed,
                    inspection.digest,
                    inspection.reason,
                    inspection.detail,
                ]
                file.write(f"\n{json.dumps(fields)}")  # line break first: the previous line may be torn


def _read(path: Path) -> Iterable[tuple[str, FileInspection]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                film, size, changed, digest, reason, detail = json.loads(line)
                yield film, FileInspection(size, changed, digest, RejectReason(reason) if reason else None, detail)
            except ValueError:
                continue  # torn
