"""The files in a ZIP, written out one at a time: nothing in it says where a file is written or how large it becomes."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from explorer.film_folder.limits import MB, Limits, NoFolder

CHUNK = 1 << 20
SIGNATURE = b"PK\x03\x04"
EMPTY = b"PK\x05\x06"
LISTED = 1024  # bytes of the list that an entry may have, its name among them
_END = struct.Struct("<4s4H2LH")  # of the list: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.16
_END_64 = struct.Struct("<4sQ2H2L4Q")  # 4.3.14
_LOCATOR = 20  # bytes of what stands between the two, 4.3.15
_UNDERSTOOD = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes of memory


class NotUnpacked(Exception):
    """Raised where one entry is not a file that is written out; says why, and how many bytes were unpacked for it."""

    def __init__(self, reason: str, unpacked: int = 0) -> None:
        super().__init__(reason)
        self.unpacked = unpacked


class Zip:
    """An open ZIP of a stranger."""

    def __init__(self, archive: zipfile.ZipFile, limits: Limits) -> None:
        self._archive = archive
        self._limits = limits
        self.entries = [entry for entry in archive.infolist() if not entry.is_dir()]

    def write(self, entry: zipfile.ZipInfo, target: Path, room: int) -> int:
        """Write an entry out; returns its bytes, `room` at most. Raises NotUnpacked; nothing of it is there then."""
        _check(entry, min(room, self._limits.file_bytes), self._limits)
        written = 0
        try:
            with self._archive.open(entry) as source, target.open("xb") as file:
                while chunk := source.read(CHUNK):
                    written += len(chunk)
                    file.write(chunk)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            target.unlink(missing_ok=True)
            raise NotUnpacked("The entry of the ZIP is damaged", written) from error
        return written


@contextmanager
def opened(path: Path, limits: Limits) -> Iterator[Zip]:
    """Raises NoFolder for what is no ZIP, or one that lists more than is looked at."""
    try:
        if _listed(path) > limits.entries * LISTED:
            raise _too_many(limits)
        with zipfile.ZipFile(path) as archive:
            found = Zip(archive, limits)
            if len(found.entries) > limits.entries:
                raise _too_many(limits)
            yield found
    except (zipfile.BadZipFile, NotImplementedError, EOFError, struct.error, ValueError, OverflowError) as error:
        raise NoFolder(
            "The ZIP is damaged", "Its list of files cannot be read. Make it again, or drop the folder itself."
        ) from error


def is_zip(path: Path) -> bool:
    """Whether a file begins as a ZIP does."""
    with path.open("rb") as file:
        return file.read(4) in (SIGNATURE, EMPTY)


def is_passed_over(name: str) -> bool:
    """Whether a file is one that systems leave in folders: it has a dot first, or lies in a folder that has."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part == "__MACOSX" or (part.startswith(".") and part not in (".", "..")) for part in parts)


def _too_many(limits: Limits) -> NoFolder:
    return NoFolder("The ZIP holds too many files", f"At most {limits.entries:,} are looked at. Split it.")


def _check(entry: zipfile.ZipInfo, most: int, limits: Limits) -> None:
    """What an entry says of itself; that it is true is seen when it is written: more than it says is never unpacked."""
    parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
    if ".." in parts or entry.filename.startswith(("/", "\\")) or ":" in (parts or ("",))[0]:
        raise NotUnpacked("Its path leads out of the ZIP")
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise NotUnpacked("It is a link, not a file")
    if entry.flag_bits & 0x1:
        raise NotUnpacked("It is encrypted: unpack the ZIP with its password first")
    if entry.compress_type not in _UNDERSTOOD:
        raise NotUnpacked("It is compressed in a way that is not unpacked here")
    if entry.file_size > limits.file_bytes:
        raise NotUnpacked(f"It is larger than {limits.file_bytes // MB} MB")
    if entry.file_size > most:
        raise NotUnpacked(f"The folder holds more than {limits.bytes // MB:,} MB")


def _listed(path: Path) -> int:
    """The bytes of a ZIP's list of entries: all of it is held in memory, whatever number of entries it claims."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 2**16 - _END.size - _LOCATOR - _END_64.size))
        tail = file.read()
    at = tail.rfind(EMPTY)
    if at < 0 or at + _END.size > len(tail):
        raise zipfile.BadZipFile
    listed = _END.unpack_from(tail, at)[5]
    before = at - _LOCATOR - _END_64.size
    if before >= 0 and tail[at - _LOCATOR : at].startswith(b"PK\x06\x07"):
        listed = max(int(listed), int(_END_64.unpack_from(tail, before)[8]))
    return int(listed)
