"""One canonical pipeline from bytes to film, for live uploads and for every cached score."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

from models.films.dicom_film import read_dicom
from models.films.file_kind import file_kind
from models.films.film import Radiograph, UnreadableRadiograph, View
from models.films.raster_film import read_raster

__all__ = ["PREPROCESSING", "Radiograph", "UnreadableRadiograph", "View", "read_radiograph"]

# Raised when the same bytes come to give other pixels or another model input: scores of before are then told apart.
PREPROCESSING = 1
MAX_BYTES = 512 << 20  # 100 megapixels of 32-bit grey and a header


def read_radiograph(source: str | Path | bytes | BinaryIO) -> Radiograph:
    """Read a film from a path, from bytes or from an open binary file, which is left open.

    DICOM, PNG, JPEG and TIFF are told apart by their bytes. Raises UnreadableRadiograph, with cause and remedy, for
    everything that is not a single radiograph read to its last pixel.
    """
    data = source if isinstance(source, bytes) else _bytes_of(source)
    if len(data) > MAX_BYTES:
        raise UnreadableRadiograph(
            "The file is too large", f"At most {MAX_BYTES >> 20} MB are read. Export the film at a lower resolution."
        )
    kind = file_kind(data)
    return read_dicom(data) if kind == "dicom" else read_raster(data, kind)


def _bytes_of(source: str | Path | BinaryIO) -> bytes:
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
