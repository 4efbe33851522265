"""What an interrupted ingest has looked at already, one line of JSON for each file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from explorer.ingest.film_files import Look
from explorer.ingest.rejects import Reason


class Journal:
    """Looks by path. A file that changed since is looked at again; what was torn by an interruption is dropped."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._looks = dict(_read(path))

    def find(self, film: Path) -> Look | None:
        """What was seen of a file that is still the same."""
        known = self._looks.get(str(film))
        if known is None:
            return None
        try:
            state = film.stat()
        except OSError:
            return None
        return known if (state.st_size, state.st_mtime_ns) == (known.size, known.changed) else None

    def add(self, looks: Iterable[tuple[Path, Look]]) -> None:
        """Keep looks, in the file when this returns."""
        with self._path.open("a", encoding="utf-8") as file:
            for film, look in looks:
                self._looks[str(film)] = look
                said = [str(film), look.size, look.changed, look.digest, look.reason, look.detail]
                file.write(f"\n{json.dumps(said)}")  # the break first: a line before may be torn


def _read(path: Path) -> Iterable[tuple[str, Look]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8") as file:
        for line in file:
            try:
                film, size, changed, digest, reason, detail = json.loads(line)
                yield film, Look(size, changed, digest, Reason(reason) if reason else None, detail)
            except ValueError:
                continue  # torn
