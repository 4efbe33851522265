"""One canonical pipeline from bytes to film, for live uploads and for every cached score."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from models.films.any_format import is_safe_here, undecoded
from models.films.decode_pool import own_films, visitors_films
from models.films.film import Radiograph, UnreadableRadiograph, View

__all__ = ["PREPROCESSING", "Radiograph", "UnreadableRadiograph", "View", "read_radiograph", "read_radiograph_apart"]

# Raised when the same bytes come to give other pixels or another model input: scores of before are then distinguished.
PREPROCESSING = 2
MAX_BYTES = 512 << 20  # 100 megapixels of 32-bit gray and a header


def read_radiograph(source: str | Path | bytes | BinaryIO) -> Radiograph:
    """Read a film from a path, from bytes or from an open binary file, which is left open.

    DICOM, PNG, JPEG and TIFF are recognized by their bytes. Compressed DICOM is decoded in a process of its own, see
    `read_radiograph_apart`. Raises UnreadableRadiograph, with cause and remedy, for everything that is not a single
    radiograph read to its last pixel.
    """
    data = _bytes_of(source)
    return undecoded(data).decode() if is_safe_here(data) else own_films().read(data)


def read_radiograph_apart(source: str | Path | bytes | BinaryIO) -> Radiograph:
    """The same in a process of its own, whatever the format: for films that a stranger brings.

    It has 2 s of one core for each 25 megapixels, with some more for compressed ones, and 1 GB, on Linux. What takes
    more is refused, and nothing that a file does to its decoder happens to this process or holds up another film for
    more than 2 s. Raises UnreadableRadiograph.
    """
    return visitors_films().read(_bytes_of(source))


def _bytes_of(source: str | Path | bytes | BinaryIO) -> bytes:
    data = source if isinstance(source, bytes) else _content(source)
    if len(data) > MAX_BYTES:
        raise UnreadableRadiograph(
            "The file is too large", f"At most {MAX_BYTES >> 20} MB are read. Export the film at a lower resolution."
        )
    return data


def _content(source: str | Path | BinaryIO) -> bytes:
    try:
        if not isinstance(source, str | Path):
            return source.read(MAX_BYTES + 1)
        path = Path(source)
        if not path.is_file():  # a folder, a pipe or a device would block or never end
            raise UnreadableRadiograph("There is no such file", "Choose an existing file, not a folder or a device.")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a closed file, or a path with a null byte
        raise UnreadableRadiograph(
            "The file cannot be opened", "Check that it still exists and may be read, then try again."
        ) from error
