"""The one pipeline from bytes to a canonical film, for live uploads and for every cached score."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from models.films.any_format import is_safe_in_process, open_film
from models.films.decode_pool import own_film_processes, visitor_film_processes
from models.films.film import Radiograph, UnreadableRadiograph, View

__all__ = ["PREPROCESSING", "Radiograph", "UnreadableRadiograph", "View", "read_radiograph", "read_radiograph_apart"]

# Increase when the same bytes start to give different pixels or model inputs, so that older scores are recognized.
PREPROCESSING = 2
MAX_BYTES = 512 << 20  # 100 megapixels of 32-bit gray, plus a header


def read_radiograph(source: str | Path | bytes | BinaryIO) -> Radiograph:
    """Read a film from a path, from bytes or from an open binary file, which is left open.

    DICOM, PNG, JPEG and TIFF are recognized by their bytes. Compressed DICOM is decoded in a separate process (see
    `read_radiograph_apart`). Raises UnreadableRadiograph, with cause and remedy, unless the source is a single
    radiograph that can be read to its last pixel.
    """
    data = _bytes_of(source)
    return open_film(data).decode() if is_safe_in_process(data) else own_film_processes().read(data)


def read_radiograph_apart(source: str | Path | bytes | BinaryIO) -> Radiograph:
    """Read a film in a separate process, whatever its format: for films from untrusted visitors.

    On Linux the process gets 1 GB of memory and 2 s of one core per 25 megapixels, with some more for compressed films.
    A film that needs more is refused. A file that crashes or hangs its decoder cannot harm this process or delay
    another film by more than 2 s. Raises UnreadableRadiograph.
    """
    return visitor_film_processes().read(_bytes_of(source))


def _bytes_of(source: str | Path | bytes | BinaryIO) -> bytes:
    data = source if isinstance(source, bytes) else _content(source)
    if len(data) > MAX_BYTES:
        raise UnreadableRadiograph(
            "The file is too large", f"The limit is {MAX_BYTES >> 20} MB. Export the film at a lower resolution."
        )
    return data


def _content(source: str | Path | BinaryIO) -> bytes:
    try:
        if not isinstance(source, str | Path):
            return source.read(MAX_BYTES + 1)
        path = Path(source)
        if not path.is_file():  # a folder, a pipe or a device would block or never end
            raise UnreadableRadiograph("The file does not exist", "Choose an existing file, not a folder or a device.")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a closed file, or a path with a null byte
        raise UnreadableRadiograph(
            "The file cannot be opened", "Check that it exists and that you may read it, then try again."
        ) from error
