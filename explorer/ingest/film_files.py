"""Checks whether a file is a film, judging by its beginning. Full decoding is left to scoring."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from explorer.ingest.rejects import RejectReason
from models.films.file_kind import file_kind
from models.radiograph import UnreadableRadiograph, read_radiograph

HEAD_BYTES = 1 << 16  # read from every file
SMALL_FILE_BYTES = 1 << 14  # a film of a single gray value is rarely larger, in any format
SAMPLE_BYTES = 4096  # at the end of the head
FEW_BYTE_VALUES = 32  # compressed anatomy has all 256

_DECODING = Lock()  # decode one film at a time: it may have a hundred megapixels


@dataclass(frozen=True, slots=True)
class FileInspection:
    """What the beginning of a file shows. Files with different `digest` differ; equal digests need a full comparison.

    `reason`: why the file is not a film, None if it may be one.
    """

    size: int
    changed: int  # ns
    digest: str = ""
    reason: RejectReason | None = None
    detail: str = ""


def inspect_file(path: Path) -> FileInspection:
    """Read the beginning of a file; decode the film only if it may be a single gray value.

    Damage later in the file is found when the film is scored.
    """
    try:
        state = path.stat()
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as error:
        return FileInspection(0, 0, "", RejectReason.UNREADABLE, error.strerror or "")
    digest = hashlib.blake2b(b"%d " % state.st_size + head, digest_size=12).hexdigest()
    reason, detail = _rejection(path, head, state.st_size)
    return FileInspection(state.st_size, state.st_mtime_ns, digest, reason, detail)


def same_bytes(path: Path) -> str:
    """Return a digest of the whole file, or its name if it can no longer be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "blake2b").hexdigest()
    except OSError:
        return str(path)


def _rejection(path: Path, head: bytes, size: int) -> tuple[RejectReason | None, str]:
    try:
        file_kind(head)
        if size <= SMALL_FILE_BYTES or len(set(head[-SAMPLE_BYTES:])) <= FEW_BYTE_VALUES:
            with _DECODING:
                read_radiograph(path)
    except UnreadableRadiograph as error:
        blank = error.title == "The image is blank"
        return (RejectReason.BLANK, "") if blank else (RejectReason.UNREADABLE, error.title)
    return None, ""
