"""Reads the pixel size of a film's file, the unit of boxes drawn on it. Pixels are not decoded."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, UnidentifiedImageError

from explorer.ingest.datasets.dicom_facts import dicom_facts
from explorer.ingest.datasets.pixel_boxes import FilmSize

_ORIENTATION, _UPRIGHT = 0x0112, 1  # of EXIF
_RASTER = ("PNG", "JPEG", "TIFF")


def stored_size(path: Path) -> FilmSize | None:
    """Return the size of a DICOM, PNG, JPEG or TIFF file; None if unknown, or if the viewer rotates or mirrors it."""
    facts = dicom_facts(path)
    if facts is not None:
        return FilmSize(facts.width, facts.height) if facts.width and facts.height and not facts.turned else None
    try:
        with Image.open(path, formats=_RASTER) as image:
            upright = image.getexif().get(_ORIENTATION, _UPRIGHT) == _UPRIGHT
            return FilmSize(*image.size) if upright else None
    except (OSError, ValueError, UnidentifiedImageError, Image.DecompressionBombError):
        return None
