"""A film's file of any format, read up to its pixels."""

from __future__ import annotations

from models.films.dicom_film import open_dicom
from models.films.dicom_walker import is_plain
from models.films.file_kind import file_kind
from models.films.film import DamagedData, Undecoded
from models.films.raster_film import open_raster


def undecoded(data: bytes) -> Undecoded:
    """What a DICOM, PNG, JPEG or TIFF says of itself, and the way to its pixels. Raises UnreadableRadiograph."""
    kind = file_kind(data)
    return open_dicom(data) if kind == "dicom" else open_raster(data, kind)


def is_safe_here(data: bytes) -> bool:
    """Whether this process may decode the file itself: all but DICOM that is compressed or deflated.

    Its decoders end the process or never return on some damaged data. Raises UnreadableRadiograph.
    """
    try:
        return file_kind(data) != "dicom" or is_plain(data)
    except DamagedData:
        return True  # the header's reader says what is wrong
