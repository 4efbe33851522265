"""Files drawn from simulated films ahead of time, such as thumbnails, packed in one ZIP file.

The file's comment is a key: the films' addresses, the simulator's version and what was drawn. A pack with another key
is not used. A ZIP file is read without unpacking the other files, and checks each one as it is read.
"""

from __future__ import annotations

import hashlib
import struct
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from explorer.simulator.version import VERSION
from models.whole_file import atomic_write

# What zipfile raises for a damaged file, also where a flipped bit names a compression or claims encryption.
_DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError),
)


class DamagedPack(Exception):
    """The pack cannot be read, or one of its files does not match its checksum."""


def pack_key(addresses: Mapping[str, str], drawn: str) -> bytes:
    """Return the key of these films, addresses by name; `drawn` says what is drawn of each, and how."""
    digest = hashlib.sha256()
    for name, address in sorted(addresses.items()):
        digest.update(f"{name} {address}\n".encode())
    return f"SIMULATED; simulator {VERSION}; {drawn}; films {digest.hexdigest()}".encode()


def write_pack(target: Path, key: bytes, files: Iterable[tuple[str, bytes]]) -> None:
    """Write files by name; the same ones give the same bytes. Raises OSError."""
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with atomic_write(target) as partial, zipfile.ZipFile(partial, "w") as pack:
        pack.comment = key
        for name, content in files:
            pack.writestr(zipfile.ZipInfo(name), content)


class FilmPack:
    """An open pack. Thread-safe."""

    def __init__(self, path: Path, key: bytes) -> None:
        """Raises DamagedPack, also for a file that does not exist or has another key."""
        self.path = path
        try:
            self._pack = zipfile.ZipFile(path)
        except _DAMAGE as error:
            raise DamagedPack from error
        if self._pack.comment != key:
            self._pack.close()
            raise DamagedPack

    def read(self, name: str) -> bytes | None:
        """Return a file's content; None if the pack does not have it. Raises DamagedPack."""
        try:
            return self._pack.read(name)
        except KeyError:
            return None
        except _DAMAGE as error:
            raise DamagedPack from error
