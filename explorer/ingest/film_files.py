"""Is a file a film, as far as its beginning tells? Decoding every film is left to scoring."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from explorer.ingest.rejects import Reason
from models.films.file_kind import file_kind
from models.radiograph import UnreadableRadiograph, read_radiograph

HEAD = 1 << 16  # bytes that are read of every file
SMALL = 1 << 14  # bytes: a film of one shade is hardly ever larger, whatever its format
SAMPLE = 4096  # bytes at the end of the head
FEW = 32  # different bytes: compressed anatomy has all 256

_DECODING = Lock()  # one film at a time: a hundred megapixels are allowed


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at a file says. Files of different `digest` are different; equal ones may still be.

    `reason` is why the file is not a film, None where it may be one.
    """

    size: int
    changed: int  # ns
    digest: str = ""
    reason: Reason | None = None
    detail: str = ""


def look(path: Path) -> Look:
    """Read the beginning of a file, and decode it only where that may be a film of one single shade.

    What begins as a film and breaks off later is found when it is scored.
    """
    try:
        state = path.stat()
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError as error:
        return Look(0, 0, "", Reason.UNREADABLE, error.strerror or "")
    digest = hashlib.blake2b(b"%d " % state.st_size + head, digest_size=12).hexdigest()
    reason, detail = _judged(path, head, state.st_size)
    return Look(state.st_size, state.st_mtime_ns, digest, reason, detail)


def same_bytes(path: Path) -> str:
    """A digest of the whole file; of its name where it can no longer be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()
    except OSError:
        return str(path)


def _judged(path: Path, head: bytes, size: int) -> tuple[Reason | None, str]:
    try:
        file_kind(head)
        if size <= SMALL or len(set(head[-SAMPLE:])) <= FEW:
            with _DECODING:
                read_radiograph(path)
    except UnreadableRadiograph as error:
        blank = error.title == "The image is blank"
        return (Reason.BLANK, "") if blank else (Reason.UNREADABLE, error.title)
    return None, ""
