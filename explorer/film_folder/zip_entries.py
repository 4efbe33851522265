"""Unpacks a ZIP file by file; the ZIP controls neither where a file is written nor how large it may become."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from explorer.film_folder.limits import MB, Limits, NoFolder

CHUNK_BYTES = 1 << 20
ZIP_SIGNATURE = b"PK\x03\x04"
EMPTY_ZIP_SIGNATURE = b"PK\x05\x06"
MAX_ENTRY_HEADER_BYTES = 1024  # average per entry in the central directory, including its name
_END = struct.Struct("<4s4H2LH")  # end record: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.16
_END_64 = struct.Struct("<4sQ2H2L4Q")  # 4.3.14
_LOCATOR = 20  # bytes between the two, 4.3.15
_SUPPORTED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # other methods may require gigabytes of memory


class NotUnpacked(Exception):
    """An entry that was not written; says why, and how many bytes were unpacked for it."""

    def __init__(self, reason: str, unpacked: int = 0) -> None:
        super().__init__(reason)
        self.unpacked = unpacked


class UntrustedZip:
    """An open ZIP from an untrusted source."""

    def __init__(self, archive: zipfile.ZipFile, limits: Limits) -> None:
        self._archive = archive
        self._limits = limits
        self.entries = [entry for entry in archive.infolist() if not entry.is_dir()]

    def write(self, entry: zipfile.ZipInfo, target: Path, room: int) -> int:
        """Write an entry of at most `room` bytes; returns its size. Raises NotUnpacked and leaves nothing behind."""
        _check(entry, min(room, self._limits.file_bytes), self._limits)
        written = 0
        try:
            with self._archive.open(entry) as source, target.open("xb") as file:
                while chunk := source.read(CHUNK_BYTES):
                    written += len(chunk)
                    file.write(chunk)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError) as error:
            target.unlink(missing_ok=True)
            raise NotUnpacked("The entry of the ZIP is damaged", written) from error
        return written


@contextmanager
def open_zip(path: Path, limits: Limits) -> Iterator[UntrustedZip]:
    """Open a ZIP. Raises NoFolder if it is not a ZIP, or lists too many entries."""
    try:
        if _directory_bytes(path) > limits.entries * MAX_ENTRY_HEADER_BYTES:
            raise _too_many(limits)
        with zipfile.ZipFile(path) as archive:
            found = UntrustedZip(archive, limits)
            if len(found.entries) > limits.entries:
                raise _too_many(limits)
            yield found
    except (zipfile.BadZipFile, NotImplementedError, EOFError, struct.error, ValueError, OverflowError) as error:
        raise NoFolder(
            "The ZIP is damaged", "Its list of files cannot be read. Create it again, or drop the folder itself."
        ) from error


def is_zip(path: Path) -> bool:
    """Whether a file starts like a ZIP."""
    with path.open("rb") as file:
        return file.read(4) in (ZIP_SIGNATURE, EMPTY_ZIP_SIGNATURE)


def is_system_file(name: str) -> bool:
    """Whether a file was left by an operating system: it or one of its folders starts with a dot."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(part == "__MACOSX" or (part.startswith(".") and part not in (".", "..")) for part in parts)


def _too_many(limits: Limits) -> NoFolder:
    return NoFolder("The ZIP holds too many files", f"At most {limits.entries:,} files are accepted. Split it.")


def _check(entry: zipfile.ZipInfo, most: int, limits: Limits) -> None:
    """Check an entry's header. Writing enforces it: an entry is never unpacked beyond its stated size."""
    parts = PurePosixPath(entry.filename.replace("\\", "/")).parts
    if ".." in parts or entry.filename.startswith(("/", "\\")) or ":" in (parts or ("",))[0]:
        raise NotUnpacked("Its path leads outside the ZIP")
    if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG):
        raise NotUnpacked("It is a link, not a file")
    if entry.flag_bits & 0x1:
        raise NotUnpacked("It is encrypted: unpack the ZIP with its password first")
    if entry.compress_type not in _SUPPORTED:
        raise NotUnpacked("It uses an unsupported compression method")
    if entry.file_size > limits.file_bytes:
        raise NotUnpacked(f"It is larger than {limits.file_bytes // MB} MB")
    if entry.file_size > most:
        raise NotUnpacked(f"The folder holds more than {limits.bytes // MB:,} MB")


def _directory_bytes(path: Path) -> int:
    """Return the size of a ZIP's central directory, which is read into memory however many entries it claims."""
    size = path.stat().st_size
    with path.open("rb") as file:
        file.seek(max(0, size - 2**16 - _END.size - _LOCATOR - _END_64.size))
        tail = file.read()
    at = tail.rfind(EMPTY_ZIP_SIGNATURE)
    if at < 0 or at + _END.size > len(tail):
        raise zipfile.BadZipFile
    listed = _END.unpack_from(tail, at)[5]
    before = at - _LOCATOR - _END_64.size
    if before >= 0 and tail[at - _LOCATOR : at].startswith(b"PK\x06\x07"):
        listed = max(int(listed), int(_END_64.unpack_from(tail, before)[8]))
    return int(listed)
