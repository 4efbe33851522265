"""Opens a film file of any supported format without decoding its pixels."""

from __future__ import annotations

from models.films.dicom_film import open_dicom
from models.films.dicom_walker import is_uncompressed
from models.films.file_kind import file_kind
from models.films.film import DamagedData, Undecoded
from models.films.raster_film import open_raster


def open_film(data: bytes) -> Undecoded:
    """Read the header of a DICOM, PNG, JPEG or TIFF file. Raises UnreadableRadiograph."""
    kind = file_kind(data)
    return open_dicom(data) if kind == "dicom" else open_raster(data, kind)


def is_safe_in_process(data: bytes) -> bool:
    """Return whether this process may decode the file: true for all but compressed or deflated DICOM.

    Decoders of those files can crash or hang on damaged data. Raises UnreadableRadiograph.
    """
    try:
        return file_kind(data) != "dicom" or is_uncompressed(data)
    except DamagedData:
        return True  # reading the header reports what is wrong
