"""Checks the films of a table: each must exist, be a film, and occur only once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from explorer.cohorts.images import Images
from explorer.core.progress import OnProgress
from explorer.ingest.entries import Entry
from explorer.ingest.film_files import FileInspection, inspect_file, same_bytes
from explorer.ingest.journal import Journal
from explorer.ingest.rejects import Reject, Rejected, RejectReason

Input = TypeVar("Input")
Output = TypeVar("Output")

BATCH = 256  # films per write to the journal
READER_THREADS = 8  # a network drive serves several reads at once
_ROOT = "root"


def check_films(
    entries: Sequence[Entry], root: Path, journal: Journal, progress: OnProgress
) -> tuple[list[Entry], list[Reject]]:
    """Return the entries whose films below `root` can be scored, with the films' paths, and the rejected ones.

    If several films have the same bytes, the first one counts.
    """
    images, base, seen = Images({_ROOT: root}), root.resolve(), _Seen()
    kept: list[Entry] = []
    rejects: list[Reject] = []
    with ThreadPoolExecutor(READER_THREADS) as pool:
        for start in range(0, len(entries), BATCH):
            batch = entries[start : start + BATCH]
            paths = _map_in_order(pool, lambda entry: images.path(_ROOT, entry.file), batch)
            inspections = _inspections([path for path in paths if path is not None], journal, pool)
            for entry, path in zip(batch, paths, strict=True):
                try:
                    if path is None and (named := images.several(_ROOT, entry.file)):
                        which = f"{entry.file!r} could be {named[0]!r} or {named[1]!r}"
                        raise Rejected(RejectReason.SEVERAL, f"{which}: name the file with its folders and ending")
                    seen.check(entry, path, inspections)
                except Rejected as rejected:
                    rejects.append(Reject(entry.line, entry.case, rejected.reason, rejected.detail))
                else:
                    kept.append(replace(entry, file=os.path.relpath(path or "", base).replace(os.sep, "/")))
            progress(start + len(batch), len(entries))
    return kept, rejects


def _inspections(paths: Sequence[Path], journal: Journal, pool: ThreadPoolExecutor) -> dict[Path, FileInspection]:
    known = dict(zip(paths, _map_in_order(pool, journal.find, paths), strict=True))
    new = [path for path, known_inspection in known.items() if known_inspection is None]
    fresh = dict(zip(new, _map_in_order(pool, inspect_file, new), strict=True))
    journal.add(fresh.items())
    return {path: known_inspection or fresh[path] for path, known_inspection in known.items()}


def _map_in_order(pool: ThreadPoolExecutor, work: Callable[[Input], Output], given: Sequence[Input]) -> list[Output]:
    """Return the results in order. Each task takes several inputs, because handing over single ones is slow."""
    share = -(-len(given) // READER_THREADS) or 1
    parts = [given[start : start + share] for start in range(0, len(given), share)]
    return [each for part in pool.map(lambda part: list(map(work, part)), parts) for each in part]


class _Seen:
    """Finds duplicate films by their bytes. Reads a whole file only if its beginning equals another's."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[Entry, Path]] = {}  # by digest of the beginning
        self._whole: dict[str, Entry] = {}  # by digest of the whole file
        self._digests: dict[Path, str] = {}

    def check(self, entry: Entry, path: Path | None, inspections: dict[Path, FileInspection]) -> None:
        """Raise Rejected for an entry whose film cannot be scored."""
        if path is None:
            raise Rejected(RejectReason.MISSING, entry.file or "")
        inspection = inspections[path]
        if inspection.reason is not None:
            raise Rejected(inspection.reason, inspection.detail)
        first = self._first.setdefault(inspection.digest, (entry, path))
        if first[0] is not entry:
            self._whole.setdefault(self._digest(first[1]), first[0])
            twin = self._whole.setdefault(self._digest(path), entry)
            if twin is not entry:
                same = ", which names the same file" if first[1] == path else ""
                other = "" if entry.marks.same(twin.marks) else f"; its labels differ, those of {twin.case} count"
                raise Rejected(RejectReason.SAME_BYTES, f"as {twin.case}{same}{other}")

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            self._digests[path] = same_bytes(path)
        return self._digests[path]
