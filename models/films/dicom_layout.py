"""Reads the pixel layout from a DICOM header and refuses layouts that films do not have."""

from __future__ import annotations

import re

from models.films.dicom_names import element_name
from models.films.dicom_walker import PIXEL_DATA, DicomHeader
from models.films.film import UnreadableRadiograph, check_size

SAMPLES, PHOTOMETRIC, PLANAR, ROWS, COLUMNS = 0x00280002, 0x00280004, 0x00280006, 0x00280010, 0x00280011
BITS_ALLOCATED, BITS_STORED, HIGH_BIT, SIGNED = 0x00280100, 0x00280101, 0x00280102, 0x00280103
PADDING, PADDING_LIMIT = 0x00280120, 0x00280121
PIXEL_TAGS = frozenset(
    (SAMPLES, PHOTOMETRIC, PLANAR, ROWS, COLUMNS, BITS_ALLOCATED, BITS_STORED, HIGH_BIT, SIGNED, PADDING, PADDING_LIMIT)
    + (PIXEL_DATA,)
)
GRAY = ("MONOCHROME1", "MONOCHROME2")
COLOR = ("RGB", "PALETTE COLOR", "YBR_FULL", "YBR_FULL_422", "YBR_ICT", "YBR_RCT")
EXPORT_AGAIN = "Export the film again."
# Color spaces in the standard that films do not use; messages may quote these, other text may identify a patient.
OTHER_COLORS = ("CMYK", "HSV", "ARGB", "YBR_PARTIAL_422", "YBR_PARTIAL_420", "XYB")


def is_signed(header: DicomHeader) -> bool:
    """Return whether stored values are two's complement."""
    return header.integer(SIGNED) == 1


def photometric(header: DicomHeader) -> str:
    """Return the photometric interpretation in the standard's spelling, or as written if unknown."""
    written = header.text(PHOTOMETRIC)
    return _SPELLINGS.get(_letters(written), written)


def _letters(text: str) -> str:
    return re.sub("[^A-Z0-9]", "", text.upper())


_SPELLINGS = {_letters(name): name for name in GRAY + COLOR}


def padding_bounds(header: DicomHeader) -> tuple[int, int] | None:
    """Return the least and largest padding value; None if the header states none."""
    words = [word for tag in (PADDING, PADDING_LIMIT) for word in header.words(tag)[:1]]
    if PADDING not in header or not words:
        return None
    # Signedness comes from the pixel representation; the elements' own VR is often wrong.
    bounds = [(word + 32768) % 65536 - 32768 if is_signed(header) else word % 65536 for word in words]
    return min(bounds), max(bounds)


def image_size(header: DicomHeader) -> tuple[int, int]:
    """Return height and width from the header."""
    return header.integer(ROWS), header.integer(COLUMNS)


def check_layout(header: DicomHeader) -> None:
    """Raise UnreadableRadiograph for a size or pixel layout that films do not have."""
    color, samples = photometric(header), header.integer(SAMPLES, 1)
    for tag, what in ((ROWS, "rows"), (COLUMNS, "columns")):
        if header.integer(tag) <= 0:
            raise UnreadableRadiograph(
                "The image is too small",
                f"{element_name(tag)} {_element_state(header, tag)}; it should be the number of {what}. {EXPORT_AGAIN}",
            )
    wide = 2 if header.integer(BITS_ALLOCATED) == 32 else 1
    check_size(*image_size(header), 4 if color == "PALETTE COLOR" else max(1, samples) * wide)
    if header.integer(BITS_ALLOCATED) == 1:
        raise UnreadableRadiograph(
            "The DICOM has 1-bit pixels", "This is a mask or overlay without grays. Choose the radiograph itself."
        )
    fault = _bits_fault(header) or _color_fault(header, color, samples)
    if fault:
        raise UnreadableRadiograph(
            "The DICOM describes its pixels in a way that does not fit a film", f"{fault}. {EXPORT_AGAIN}"
        )


def _element_state(header: DicomHeader, tag: int) -> str:
    """Describe, as verb and object, the content of an element that should contain one number."""
    words = header.words(tag)
    if words:
        return f"is {words[0]}"
    return "is missing" if tag not in header else "is not a whole number" if header.raw(tag) else "is empty"


def _bits_fault(header: DicomHeader) -> str:
    """Return what is wrong with the bit depths and what would be right; empty if nothing is wrong."""
    allocated, stored = header.integer(BITS_ALLOCATED), header.integer(BITS_STORED)
    if allocated not in (8, 16, 32):
        return f"{element_name(BITS_ALLOCATED)} {_element_state(header, BITS_ALLOCATED)}; a film has 8, 16 or 32"
    if not 1 < stored <= allocated:
        right = f"2 to {allocated} would fit {element_name(BITS_ALLOCATED)}, which is {allocated}"
        return f"{element_name(BITS_STORED)} {_element_state(header, BITS_STORED)}; {right}"
    if not stored - 1 <= header.integer(HIGH_BIT, stored - 1) < allocated:
        right = f"{stored - 1} would fit {element_name(BITS_STORED)}, which is {stored}"
        return f"{element_name(HIGH_BIT)} {_element_state(header, HIGH_BIT)}; {right}"
    return ""


def _color_fault(header: DicomHeader, color: str, samples: int) -> str:
    """Return what is wrong with samples or photometric interpretation; empty if nothing is wrong."""
    if samples not in (1, 3):
        return f"{element_name(SAMPLES)} {_element_state(header, SAMPLES)}; a film has 1, or 3 in color"
    right = "MONOCHROME1 or MONOCHROME2" if samples == 1 else "RGB or one of the YBR kinds"
    if color not in GRAY + COLOR:
        known = _letters(color) in map(_letters, OTHER_COLORS)
        held = f"is {color}" if known else "has a value that is not in the standard" if color else "is missing"
        return f"{element_name(PHOTOMETRIC)} {held}; expected {right}"
    if (color in GRAY or color == "PALETTE COLOR") != (samples == 1):
        return f"{element_name(PHOTOMETRIC)} is {color}; with {samples} in {element_name(SAMPLES)}, expected {right}"
    if samples == 3 and header.integer(PLANAR) not in (0, 1):
        return f"{element_name(PLANAR)} {_element_state(header, PLANAR)}; expected 0 or 1"
    return ""
