"""The films of entries: are they there, are they films, and is each there once?"""

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
from explorer.ingest.film_files import Look, look, same_bytes
from explorer.ingest.journal import Journal
from explorer.ingest.rejects import Reason, Reject, Rejected

Given = TypeVar("Given")
Found = TypeVar("Found")

BATCH = 256  # films between two entries into the journal
READERS = 8  # threads: a network drive answers several at once
_ROOT = "root"


def check_films(
    entries: Sequence[Entry], root: Path, journal: Journal, progress: OnProgress
) -> tuple[list[Entry], list[Reject]]:
    """The entries whose films below `root` may be scored, with the paths of these; and the others.

    Of films with the same bytes the first counts.
    """
    images, base, seen = Images({_ROOT: root}), root.resolve(), _Seen()
    kept: list[Entry] = []
    rejects: list[Reject] = []
    with ThreadPoolExecutor(READERS) as pool:
        for start in range(0, len(entries), BATCH):
            batch = entries[start : start + BATCH]
            paths = _each(pool, lambda entry: images.path(_ROOT, entry.file), batch)
            looks = _looks([path for path in paths if path is not None], journal, pool)
            for entry, path in zip(batch, paths, strict=True):
                try:
                    if path is None and (named := images.several(_ROOT, entry.file)):
                        which = f"{entry.file!r} could be {named[0]!r} or {named[1]!r}"
                        raise Rejected(Reason.SEVERAL, f"{which}: name the file with its folders and ending")
                    seen.check(entry, path, looks)
                except Rejected as rejected:
                    rejects.append(Reject(entry.line, entry.case, rejected.reason, rejected.detail))
                else:
                    kept.append(replace(entry, file=os.path.relpath(path or "", base).replace(os.sep, "/")))
            progress(start + len(batch), len(entries))
    return kept, rejects


def _looks(paths: Sequence[Path], journal: Journal, pool: ThreadPoolExecutor) -> dict[Path, Look]:
    known = dict(zip(paths, _each(pool, journal.find, paths), strict=True))
    new = [path for path, said in known.items() if said is None]
    fresh = dict(zip(new, _each(pool, look, new), strict=True))
    journal.add(fresh.items())
    return {path: said or fresh[path] for path, said in known.items()}


def _each(pool: ThreadPoolExecutor, work: Callable[[Given], Found], given: Sequence[Given]) -> list[Found]:
    """What the work makes of each, in their order; a reader takes several, because handing over one takes long, too."""
    share = -(-len(given) // READERS) or 1
    parts = [given[start : start + share] for start in range(0, len(given), share)]
    return [each for part in pool.map(lambda part: list(map(work, part)), parts) for each in part]


class _Seen:
    """Films by what their bytes are; whole files are read only where their beginnings are equal."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[Entry, Path]] = {}  # by the digest of a look
        self._whole: dict[str, Entry] = {}  # by that of the file
        self._digests: dict[Path, str] = {}

    def check(self, entry: Entry, path: Path | None, looks: dict[Path, Look]) -> None:
        """Raises Rejected for an entry whose film is not to be scored."""
        if path is None:
            raise Rejected(Reason.MISSING, entry.file or "")
        said = looks[path]
        if said.reason is not None:
            raise Rejected(said.reason, said.detail)
        first = self._first.setdefault(said.digest, (entry, path))
        if first[0] is not entry:
            self._whole.setdefault(self._digest(first[1]), first[0])
            twin = self._whole.setdefault(self._digest(path), entry)
            if twin is not entry:
                same = ", which names the same file" if first[1] == path else ""
                other = "" if entry.marks.same(twin.marks) else f"; its labels differ, those of {twin.case} count"
                raise Rejected(Reason.SAME_BYTES, f"as {twin.case}{same}{other}")

    def _digest(self, path: Path) -> str:
        if path not in self._digests:
            self._digests[path] = same_bytes(path)
        return self._digests[path]
